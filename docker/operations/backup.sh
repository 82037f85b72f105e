#!/usr/bin/env bash
# Backs up MongoDB and EventStoreDB into a new folder:  docker/operations/backup.sh [--stop] FOLDER
# The service goes on meanwhile. With --stop nothing is written meanwhile (503), so that the two match exactly.
# SECRET_KEY is not in it, and no backup can be used without: keep it apart.
folder=${*: -1}
case $folder in "" | /*) ;; *) folder=$PWD/$folder ;; esac
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

WRITERS=(proxy command-service webhook-dispatcher projector)

stop=false
[ "${1:-}" != --stop ] || { stop=true && shift; }
if [ $# -ne 1 ] || [ -z "$1" ] || [ "${1#-}" != "$1" ]; then fail "usage: backup.sh [--stop] FOLDER"; fi
[ ! -e "$folder" ] || fail "$folder is there already: a backup goes into a new folder"
unfinished=$folder.unfinished

stopped=false
start_writers() {
  [ "$stopped" = true ] || return 0
  stopped=false
  docker compose start "${WRITERS[@]}" || echo "the services could not be started again: docker compose start" >&2
}
on_failure() {
  rm -rf "$unfinished"
  start_writers
  if [ -e "$folder" ]; then echo "The backup in $folder is whole." >&2; else echo "There is no backup in $folder." >&2; fi
}

# $1: the archive. The rest: which files of the node, as `find` takes it. They are listed when their turn has come. tar
# ends with 1 where a file grows while it is read: the log is good up to the checkpoints that were copied before.
copy_files() {
  local archive=$1
  shift
  docker compose exec -T eventstore sh -c "$GO_TO_LOG"'
    find . -type f "$@" >/tmp/files-to-copy || exit
    tar -c -z -f - -T /tmp/files-to-copy || [ $? -eq 1 ]' copy "$@" >"$unfinished/$archive"
  gzip -t "$unfinished/$archive"
}

step "begin a backup in $unfinished"
rm -rf "$unfinished"
mkdir -p "$unfinished"
chmod 700 "$unfinished"

if [ "$stop" = true ]; then
  step "stop what writes: ${WRITERS[*]}"
  stopped=true
  docker compose stop "${WRITERS[@]}"
fi

# First, so that no read model is ahead of the log.
step "copy MongoDB"
docker compose exec -T mongodb mongodump --archive --gzip --oplog --quiet >"$unfinished/mongodb.gz"
gzip -t "$unfinished/mongodb.gz"

# In EventStoreDB's order for a node that runs: nothing that is copied points to what was copied before it.
step "copy EventStoreDB: the checkpoints of its index"
copy_files eventstore-1-index-checkpoints.tar.gz -path './index/*' -name '*.chk'
step "copy EventStoreDB: its index"
copy_files eventstore-2-index.tar.gz -path './index/*' ! -name '*.chk'
step "copy EventStoreDB: the checkpoints of its log"
copy_files eventstore-3-checkpoints.tar.gz ! -path './index/*' -name '*.chk'
step "copy EventStoreDB: the chunks of its log"
copy_files eventstore-4-chunks.tar.gz ! -path './index/*' -name 'chunk-*'

# Each grep reads to the end: tar would fail if nobody took what it writes.
step "look whether the log is all there"
tar -t -z -f "$unfinished/eventstore-3-checkpoints.tar.gz" | grep -x './chaser.chk' >/dev/null || fail "chaser.chk is missing"
tar -t -z -f "$unfinished/eventstore-4-chunks.tar.gz" | grep '^./chunk-' >/dev/null || fail "there is no chunk"

sync
mv "$unfinished" "$folder"
if [ "$stop" = true ]; then
  step "start what was stopped"
  stopped=false
  docker compose start "${WRITERS[@]}"
fi
step "done: $folder"
