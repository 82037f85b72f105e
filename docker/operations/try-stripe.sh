#!/usr/bin/env bash
# Ten minutes with a test key of Stripe's:  STRIPE_SECRET_KEY=sk_test_… docker/operations/try-stripe.sh
# Starts the service with an empty data folder (ports 3100 and 3101 of 127.0.0.1), makes a journey, declines, refunds, a
# dispute and a reconciliation at Stripe's test mode, and removes the folder. It needs npm and curl, and no Docker. Stripe
# keeps what was done in its test mode; nothing of it is real money.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${STRIPE_SECRET_KEY:-} in
  [sr]k_test_*) ;;
  *) fail "STRIPE_SECRET_KEY must be a test key of Stripe's: sk_test_… or rk_test_…" ;;
esac
stripe=${STRIPE_API_URL:-https://api.stripe.com}
work=$(mktemp -d)
export PATH="$PWD/node_modules/.bin:$PATH"
export DATA_DIR=$work/data PORT=${PORT:-3100} OPERATOR_PORT=${OPERATOR_PORT:-3101}
export PAYMENT_GATEWAY=stripe STRIPE_WEBHOOK_SECRET=whsec_try LOG_LEVEL=warn
export OPERATOR_URL=http://127.0.0.1:$OPERATOR_PORT
base=http://127.0.0.1:$PORT
service=

stop_service() {
  [ -n "$service" ] || return 0
  kill "$service" 2>/dev/null || true
  wait "$service" 2>/dev/null || true
  service=
}
on_failure() {
  stop_service
  echo "Data and log are left in $work, to be looked at." >&2
}

pick() { node -p "JSON.parse(fs.readFileSync(0)).$1"; }
operator() { npx tbs "$@" --json </dev/null; }
api() {
  local path=$1
  shift
  curl --silent --show-error --max-time 60 -H "x-api-key: $key" -H "Content-Type: application/json" "$base/v1$path" "$@"
}
at_stripe() {
  local path=$1
  shift
  # From a file descriptor, for the arguments of a program are no secret.
  curl --silent --show-error --fail-with-body --max-time 60 -K <(printf 'header = "Authorization: Bearer %s"\n' "$STRIPE_SECRET_KEY") "$stripe/v1$path" "$@"
}
expect() { [ "$2" = "$3" ] || fail "$1 is $2, not $3"; }
# until_is DESCRIPTION VALUE COMMAND…: asks for up to a minute.
until_is() {
  local what=$1 wanted=$2 got
  shift 2
  for _ in $(seq 60); do
    got=$("$@")
    [ "$got" != "$wanted" ] || return 0
    sleep 1
  done
  fail "$what is $got, not $wanted"
}
new_booking() {
  api /bookings -d "{\"flightId\": \"$flight\", \"cabin\": \"economy\",
    \"passengers\": [{\"name\": \"Ada Lovelace\", \"email\": \"ada@example.com\"}]}" | pick id
}
# pay BOOKING KEY TOKEN [OPTION…]
pay() {
  local booking=$1 idempotency_key=$2 token=$3
  shift 3
  api "/bookings/$booking/payments" -H "Idempotency-Key: $idempotency_key" -d "{\"type\": \"card\", \"token\": \"$token\"}" "$@"
}
# Of this run's payments: Stripe has those of a run before, too, which this data folder does not know.
differences() {
  operator payments reconcile --since "$since" |
    pick "filter(d => ['$payment', '$waiting'].includes(d.paymentId)).map(d => d.difference).join(' ') || 'none'"
}

step "start the service"
since=$(node -p 'new Date(Date.now() - 60_000).toISOString()')
npm start >"$work/summary" 2>"$work/log" &
service=$!
for _ in $(seq 120); do
  if curl --silent --fail --output /dev/null "$base/health/ready"; then break; fi
  kill -0 "$service" 2>/dev/null || fail "the service did not start: $(tail -1 "$work/log")"
  sleep 0.5
done
key=$(pick apiKey <"$DATA_DIR/demo.json")
after=$(node -p 'new Date(Date.now() + 30 * 86400000).toISOString().slice(0, 10)')
flight=$(api "/flights?departsAfter=$after&limit=1" | pick 'data[0].id')

step "a journey: book and pay, and the same request again charges nothing"
booking=$(new_booking)
paid=$(pay "$booking" try-1 pm_card_visa)
payment=$(pick id <<<"$paid")
expect "the payment" "$(pick status <<<"$paid")" succeeded
expect "its card" "$(pick 'method.card.last4' <<<"$paid")" 4242
expect "the same payment" "$(pay "$booking" try-1 pm_card_visa | pick id)" "$payment"
expect "the booking" "$(api "/bookings/$booking" | pick status)" confirmed

step "declines, and then a card that pays"
other=$(new_booking)
for declined in "pm_card_visa_chargeDeclined card_declined" "tok_chargeDeclinedExpiredCard expired_card" \
  "pm_card_visa_chargeDeclinedInsufficientFunds insufficient_funds" "pm_card_authenticationRequired authentication_required"; do
  read -r token code <<<"$declined"
  expect "$token" "$(pay "$other" "try-2-$code" "$token" | pick failureCode)" "$code"
done
expect "the answer to an unknown card" "$(pay "$other" try-2-unknown pm_nobody --output /dev/null --write-out '%{http_code}')" 400
waiting=$(pay "$other" try-2-paid pm_card_pendingRefund | pick id)

step "a refund, and one that arrives later"
expect "the refund" "$(api "/payments/$payment/refunds" -d '{"amount": 1000}' | pick status)" succeeded
expect "the refund that waits" "$(api "/payments/$waiting/refunds" -d '{"amount": 1000}' | pick status)" pending

step "reconcile: no difference"
expect "the reconciliation" "$(differences)" none

step "a refund made by hand is named"
intent=$(at_stripe "/payment_intents?limit=100" -G | pick "data.find(i => i.metadata.payment_id === '$payment').id")
at_stripe /refunds -d "payment_intent=$intent" -d amount=200 >/dev/null
expect "the reconciliation" "$(differences)" refund_unknown_here

step "a dispute, told by a signed event"
disputed=$(new_booking)
expect "the disputed payment" "$(pay "$disputed" try-3 pm_card_createDispute | pick status)" succeeded
dispute_of() { at_stripe "/disputes?limit=1" -G | pick 'data[0]?.id ?? ""'; }
for _ in $(seq 60); do
  dispute=$(dispute_of)
  [ -z "$dispute" ] || break
  sleep 1
done
[ -n "$dispute" ] || fail "Stripe has no dispute after a minute"
event="{\"type\":\"charge.dispute.created\",\"data\":{\"object\":{\"id\":\"$dispute\"}}}"
now=$(date +%s)
signed=$(node -p 'crypto.createHmac("sha256", process.argv[1]).update(process.argv[2]).digest("hex")' "$STRIPE_WEBHOOK_SECRET" "$now.$event")
post_event() { curl --silent --output /dev/null --write-out '%{http_code}' "$base/gateways/stripe/webhooks" -H "Stripe-Signature: t=$now,v1=$1" -d "$event"; }
expect "a forged event" "$(post_event 00)" 400
expect "the signed event" "$(post_event "$signed")" 204
disputes() { operator dispute list | pick length; }
until_is "the number of disputes" 1 disputes

step "what arrived later has arrived, or is still on its way"
api "/payments/$waiting" | pick 'refunds.map(r => r.status).join(" ")'

step "stop, and remove the data"
stop_service
rm -rf "$work"
step "done: all of it worked"
