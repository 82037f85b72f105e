#!/usr/bin/env bash
# A `docker` that has no containers: it notes each call in $FAKE/calls and what Compose would go by in $FAKE/environment, fails at the call number $FAIL_AT, and does in
# folders of $FAKE what is to happen inside of containers.
set -eu
call="$*"
printf '%s\n' "${call//$'\n'/ }" >>"$FAKE/calls"
env | grep -E '^(COMPOSE_|[A-Z_]+_URL=|PAYMENT_|STRIPE_)' | sort >"$FAKE/environment" || true
if [ "$(wc -l <"$FAKE/calls")" -eq "${FAIL_AT:-0}" ]; then
  echo "out of order" >&2
  exit 7
fi

# $1: the service. The rest: as for sh.
inside() {
  local service=$1 arguments=()
  shift
  for argument in "$@"; do
    argument=${argument//\/tmp\//$FAKE/}
    arguments+=("${argument//\/var\/lib\/eventstore/$FAKE/$service}")
  done
  sh "${arguments[@]}"
}

case $call in
  "compose config --services") printf '%s\n' $SERVICES ;;
  "compose config --images") printf '%s\n' travel-booking-service:1.0.0 travel-booking-new:1.0.0 travel-booking-document-reader:1.0.0 mongo:8.0.21 ;;
  "image inspect travel-booking-new:1.0.0") exit 1 ;;
  "compose config --format json") echo '{"services":{},"networks":{}}' ;;
  "compose ps --format {{.Health}} "*) echo healthy ;;
  "compose ps --quiet "*) printf '%s\n' "$4-first" "$4-second" ;;
  "compose exec -T proxy cat "*) printf 'resolver 127.0.0.11 valid=7s;\nserver a:1 fail_timeout=3s;\nserver b:1 fail_timeout=12s;\n' ;;
  "compose exec -T eventstore sh "*) shift 5 && inside eventstore "$@" ;;
  "compose run --rm --no-deps -T --entrypoint sh "*) service=$8 && shift 8 && inside "$service" "$@" ;;
  "compose exec -T mongodb mongodump "*) echo "all of MongoDB" | gzip ;;
  "compose exec -T mongodb mongorestore "*) gzip -dc >"$FAKE/mongodb" ;;
  *" projection list --json") echo "[{\"name\":\"bookings\",\"state\":\"${STATE:-live}\"},{\"name\":\"flights\",\"state\":\"live\"}]" ;;
  "compose exec -T command-service node --eval "*) shift 4 && "$@" ;;
esac
