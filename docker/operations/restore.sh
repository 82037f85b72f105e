#!/usr/bin/env bash
# Replaces everything that is stored by a backup:  docker/operations/restore.sh [--yes] FOLDER
# All services stop, and start again only when all of it is restored. After a failure they stay stopped: run it again.
# On another machine put SECRET_KEY and OPERATOR_TOKEN into .env first.
folder=${*: -1}
case $folder in "" | /*) ;; *) folder=$PWD/$folder ;; esac
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

yes=false
[ "${1:-}" != --yes ] || { yes=true && shift; }
if [ $# -ne 1 ] || [ -z "$1" ] || [ "${1#-}" != "$1" ]; then fail "usage: restore.sh [--yes] FOLDER"; fi

ARCHIVES=(eventstore-1-index-checkpoints eventstore-2-index eventstore-3-checkpoints eventstore-4-chunks)

step "look whether the backup is whole"
for file in mongodb.gz "${ARCHIVES[@]/%/.tar.gz}"; do
  [ -s "$folder/$file" ] || fail "there is no whole backup in $folder: $file is missing"
  gzip -t "$folder/$file"
done

if [ "$yes" = false ]; then
  read -r -p "Everything that is stored now is replaced by $folder. Type yes: " answer || true
  [ "${answer:-}" = yes ] || fail "nothing was changed"
fi

touched=false
on_failure() {
  if [ "$touched" = false ]; then echo "What is stored was not changed." >&2; else
    echo "What is stored is half replaced. Start nothing: mend the cause and run restore.sh again." >&2
  fi
  echo "The services stay stopped, where they were stopped." >&2
}

# Runs a script beside the stopped node $1, in its image, on its volume and as its user.
in_volume_of() {
  docker compose run --rm --no-deps -T --entrypoint sh "$1" -e -c "$GO_TO_LOG; $2"
}

nodes=$(eventstore_nodes)

step "stop everything"
docker compose stop

# Beside what is there, which is touched only when all of this has arrived.
for node in $nodes; do
  step "unpack the log for $node"
  in_volume_of "$node" 'rm -rf restoring; mkdir restoring' </dev/null
  for archive in "${ARCHIVES[@]}"; do
    in_volume_of "$node" 'tar -x -z -f - -C restoring' <"$folder/$archive.tar.gz"
  done
  # The log ends where the last event does that was whole at the time of the backup; what the chunks have beyond is cut off.
  in_volume_of "$node" 'cp restoring/chaser.chk restoring/truncate.chk; sync' </dev/null
done

step "start MongoDB and Redis"
docker compose up --detach --wait mongodb redis

# The database first: mongorestore would leave newer read models beside what it brings.
touched=true
step "restore MongoDB"
docker compose exec -T mongodb mongosh --quiet --norc travel_booking --eval 'db.dropDatabase()' </dev/null
docker compose exec -T mongodb mongorestore --archive --gzip --oplogReplay --quiet <"$folder/mongodb.gz"

step "empty Redis"
docker compose exec -T redis redis-cli -e FLUSHALL </dev/null

for node in $nodes; do
  step "put the log of $node in its place"
  in_volume_of "$node" 'find . -mindepth 1 -maxdepth 1 ! -name restoring -exec rm -rf {} +
    mv restoring/* .; rmdir restoring; sync' </dev/null
done

step "start everything"
docker compose up --detach --wait
step "done; look at: docker compose exec command-service tbs projection list"
