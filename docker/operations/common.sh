# shellcheck shell=bash
# Read by the scripts beside it. They run on the machine that has Docker, from any folder, and do what COMPOSE_FILE, .env
# and the environment say, as `docker compose` by hand would. Containers are found by their service, never by name.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# What is done next, for whoever looks on, and for the message where it fails.
step() {
  current_step=$1
  printf '== %s\n' "$1"
}

# Undoes what must not stay after a failure, and says what is left; a script replaces it.
on_failure() { :; }

on_exit() {
  local status=$?
  [ "$status" -ne 0 ] || return 0
  printf 'FAILED (exit code %s) at: %s\n' "$status" "${current_step:-the beginning}" >&2
  on_failure
}
trap on_exit EXIT

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

# In a node's container: goes where its log is, EventStoreDB's or KurrentDB's.
# shellcheck disable=SC2034 # the scripts use it
GO_TO_LOG='cd /var/lib/kurrentdb 2>/dev/null || cd /var/lib/eventstore || exit'

# The nodes of EventStoreDB, a line each: one, or those of docker/eventstoredb-cluster.yml.
eventstore_nodes() {
  local services
  services=$(docker compose config --services) || return
  grep -E '^eventstore(-[0-9]+)?$' <<<"$services"
}
