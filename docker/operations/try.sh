#!/usr/bin/env bash
# Ten minutes with Docker:  docker/operations/try.sh
# Starts an installation of its own (project travel-booking-try, ports 3100 and 3101 of 127.0.0.1), makes a journey, kills
# every container once, backs up, restores, upgrades, goes back, and removes all of it. It touches no other installation: .env and the
# environment say nothing here of servers, profiles and payments. Images are the machine's: this builds them anew, and tags those before.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

unset EVENT_STORE_URL MONGODB_URL REDIS_URL PAYMENT_GATEWAY STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET COMPOSE_PROFILES
export COMPOSE_DISABLE_ENV_FILE=1
export COMPOSE_PROJECT_NAME=travel-booking-try SUBNET_PREFIX=${SUBNET_PREFIX:-172.30.43}
export PUBLIC_HOST=127.0.0.1 PUBLIC_PORT=3100 OPERATOR_PORT=3101
base=http://127.0.0.1:3100
CONTAINERS=(proxy command-service query-service projector webhook-dispatcher document-reader boarding-pass-printer eventstore mongodb redis)
work=$(mktemp -d)

on_failure() {
  rm -rf "$work"
  echo "It is left as it is, to be looked at: COMPOSE_PROJECT_NAME=$COMPOSE_PROJECT_NAME docker compose logs" >&2
  echo "To remove it: COMPOSE_PROJECT_NAME=$COMPOSE_PROJECT_NAME docker compose down --volumes" >&2
}

# The machine may have no program that reads JSON; the service has.
pick() { docker compose exec -T command-service node -p "JSON.parse(fs.readFileSync(0)).$1"; }
operator() { docker compose exec -T command-service tbs "$@" </dev/null; }
# A service that has just lost a server answers 503 until it has it back; what is repeated then was not done.
api() {
  local path=$1
  shift
  curl --silent --show-error --fail --max-time 60 --retry 30 --retry-delay 2 --retry-connrefused \
    -H "x-api-key: $key" -H "Content-Type: application/json" "$base/v1$path" "$@"
}
expect() { [ "$2" = "$3" ] || fail "$1 is $2, not $3"; }
check_booking() {
  api "/bookings/$booking/boarding-pass?format=pdf" >"$work/pass.pdf"
  expect "the booking" "$(api "/bookings/$booking" | pick status)" confirmed
  expect "its payment" "$(api "/payments/$payment" | pick status)" succeeded
}

step "build the images and start everything (minutes, the first time)"
docker compose up --detach --wait --build

step "fill the catalogue, and make an account and a key"
docker compose exec -T command-service sh -c 'node --eval "import(\"@travel-booking/standalone/demo-catalogue\")
  .then(({ demoCatalogue }) => console.log(JSON.stringify(demoCatalogue(Date.now()))))" |
  tbs catalogue import /dev/stdin' </dev/null >/dev/null
account=$(operator account create --name "Try" --json | pick id)
key=$(operator credential create --account "$account" --kind api-key --json | pick apiKey)

step "find a flight and two free seats"
after=$(docker compose exec -T command-service node -p 'new Date(Date.now() + 30 * 86400000).toISOString().slice(0, 10)' </dev/null)
flight=$(api "/flights?departsAfter=$after&limit=1" | pick 'data[0].id')
seats=$(api "/flights/$flight/seat-map" | pick 'cabins.find(c => c.cabin === "economy").rows.flatMap(r => r.seats)
  .filter(s => s.status === "available").slice(0, 2).map(s => JSON.stringify(s.number)).join()')

step "hold them, book them, pay"
hold=$(api "/flights/$flight/seat-holds" -d "{\"seats\":[$seats]}" | pick id)
booking=$(api /bookings -H "Idempotency-Key: try-book-$hold" -d "{
  \"flightId\": \"$flight\", \"cabin\": \"economy\", \"holdId\": \"$hold\", \"reference\": \"TRY-1\",
  \"passengers\": [{\"name\": \"Ada Lovelace\", \"email\": \"ada@example.com\"},
                   {\"name\": \"Alan Turing\", \"email\": \"alan@example.com\"}]}" | pick id)
payment=$(api "/bookings/$booking/payments" -H "Idempotency-Key: try-pay-$booking" \
  -d '{"type": "card", "token": "tok_visa"}' | pick id)
check_booking

step "change the reference, read the history and the boarding passes"
expect "the reference" "$(api "/bookings/$booking" -X PATCH -d '{"reference": "TRY-2"}' | pick reference)" TRY-2
api "/bookings/$booking/history" | pick 'data.map(e => e.type).join(", ")'
api "/bookings/$booking/boarding-pass?format=json" | pick 'passes.map(p => p.seat).join(", ")'

# Docker does not restart what was killed by its own command, so this does.
for container in "${CONTAINERS[@]}"; do
  step "kill $container and start it again"
  docker compose kill "$container"
  docker compose up --detach --wait --no-recreate
  check_booking
done

step "back up, then book a change that the backup does not have"
docker/operations/backup.sh "$work/backup"
api "/bookings/$booking" -X PATCH -d '{"reference": "TRY-3"}' >/dev/null

step "restore: the booking is as it was at the backup"
docker/operations/restore.sh --yes "$work/backup"
check_booking
expect "the reference" "$(api "/bookings/$booking" | pick reference)" TRY-2

step "upgrade, to the release that runs already"
docker/operations/upgrade.sh "$work/before-upgrade"
check_booking

step "go back to the images before it"
for image in service document-reader boarding-pass-printer; do
  docker tag "travel-booking-$image:before" "travel-booking-$image:1.0.0"
done
docker compose up --detach --wait
check_booking

step "refund and cancel"
api "/payments/$payment/refunds" -d '{"amount": 1000, "reason": "requested_by_customer"}' >/dev/null
expect "the booking" "$(api "/bookings/$booking/cancel" -d '{"reason": "it was only a try"}' | pick status)" cancelled

step "remove everything"
docker compose down --volumes
rm -rf "$work"
step "done: all of it worked"
