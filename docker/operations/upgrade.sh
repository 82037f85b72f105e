#!/usr/bin/env bash
# Replaces a running release by that of this folder, after a backup:  docker/operations/upgrade.sh BACKUP_FOLDER
# New instances start beside the old ones, service after service, so for a moment there are twice as many of one.
backup=${1:-}
case $backup in "" | /*) ;; *) backup=$PWD/$backup ;; esac
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [ $# -ne 1 ] || [ -z "$1" ]; then fail "usage: upgrade.sh BACKUP_FOLDER"; fi

on_failure() {
  echo "What was not replaced yet runs on. Mend the cause, bring the instances back to their number with" >&2
  echo "docker compose up --detach --no-recreate, and run it again with another folder for the backup." >&2
  echo "To go back: docs/operations.md, Upgrading." >&2
}

# The networks that are not as the files say, and the services that are not in those that the files say, a line each. What
# does not run yet is none of them.
changed_networks() {
  local project config networks containers running
  project=$(docker compose ps --format '{{.Project}}' proxy) || return
  config=$(docker compose config --format json) || return
  networks=$(docker network ls --quiet --filter "label=com.docker.compose.project=$project") || return
  containers=$(docker compose ps --quiet) || return
  # shellcheck disable=SC2086 # an id a word
  running=$(docker inspect --format '{{json .}}' $networks $containers) || return
  printf '%s\n%s' "$config" "$running" |
    docker compose exec -T command-service node --eval '
      const [config, ...running] = fs.readFileSync(0, "utf8").split(/\n(?=\{")/).map(JSON.parse);
      const byName = new Map(Object.values(config.networks).map((network) => [network.name, network]));
      for (const { Name, Internal, IPAM, Config, NetworkSettings } of running) {
        const network = byName.get(Name);
        const [{ subnet } = {}] = network?.ipam?.config ?? [];
        const isAnother = network && ((network.internal ?? false) !== Internal || (subnet && subnet !== IPAM.Config[0].Subnet));
        if (isAnother) console.log(Name);
        const service = config.services[Config?.Labels["com.docker.compose.service"]];
        if (!service) continue;
        const now = Object.keys(NetworkSettings.Networks).filter((name) => name !== "none").sort().join(" ");
        const then = Object.keys(service.networks ?? {}).map((key) => config.networks[key].name).sort().join(" ");
        if (now !== then) console.log(`${Name}: ${now || "none"}, then ${then || "none"}`);
      }'
}

# Until the new projectors have built what they need: they are healthy then.
wait_for_projections() {
  local listed health
  while true; do
    # By its file: the release that still runs may have no "tbs".
    listed=$(docker compose exec -T command-service node packages/operator/start.js projection list --json </dev/null)
    case $listed in *'"stopped"'*) fail "a projection has stopped: $listed" ;; esac
    health=$(docker compose ps --format '{{.Health}}' projector | sort -u)
    [ "$health" != healthy ] || return 0
    sleep 2
  done
}

# $1: the service. Its old instances end when the new ones are healthy, and the proxy uses them.
replace() {
  local service=$1 old count
  old=$(docker compose ps --quiet "$service")
  [ -n "$old" ] || fail "$service does not run"
  count=$(wc -l <<<"$old")
  step "$service: start $count new beside the old"
  if [ "$service" = projector ]; then
    docker compose up --detach --no-deps --no-recreate --scale "$service=$((2 * count))" "$service"
    step "projector: wait until the new ones have built what they need"
    wait_for_projections
  else
    docker compose up --detach --wait --no-deps --no-recreate --scale "$service=$((2 * count))" "$service"
    step "$service: wait until the proxy uses the new"
    sleep "$pause"
  fi
  step "$service: stop the old"
  # shellcheck disable=SC2086 # an id a word
  docker stop $old
  # shellcheck disable=SC2086
  docker rm $old
  [ "$service" != projector ] || return 0
  step "$service: wait until the proxy has forgotten them: the next service gets their addresses"
  sleep "$pause"
}

# seconds NAME: the most that the proxy's configuration gives a setting of that name.
seconds() { grep -oE "\<$1=[0-9]+s" <<<"$configuration" | grep -oE '[0-9]+' | sort -n | tail -n 1; }

step "look whether networks change"
changed=$(changed_networks)
[ -z "$changed" ] || fail "Networks change, which interrupts the service. Nothing was done. Back up, then: docker compose build &&
docker compose up --detach --wait.
$changed"

step "ask the proxy how long it takes to know new instances"
configuration=$(docker compose exec -T proxy cat /run/nginx/nginx.conf </dev/null)
# It asks for addresses again, tries again what refused before it was ready, and has a second for both.
known_within=$(seconds valid)
tried_again_within=$(seconds fail_timeout)
pause=$((known_within + tried_again_within + 1))

docker/operations/backup.sh "$backup"

step "keep the images that run now, tagged before"
images=$(docker compose config --images)
images=$(grep '^travel-booking-' <<<"$images" | sort -u)
for image in $images; do
  # The release that runs may be without one.
  if docker image inspect "$image" >/dev/null 2>&1; then docker tag "$image" "${image%:*}:before"; fi
done

step "build the new images"
docker compose build

step "make the secrets that it adds, if any"
docker compose run --rm --no-deps -T secrets </dev/null

step "replace the reader of documents and the printer of boarding passes: what they are at is done again"
docker compose up --detach --wait --no-deps document-reader boarding-pass-printer

for service in projector query-service command-service webhook-dispatcher; do replace "$service"; done

step "replace what else has changed"
docker compose up --detach --wait
step "done"
