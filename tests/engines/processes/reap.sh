#!/bin/sh
# reap.sh FOLDER SIGNAL: standard input tells the process id of the server that is running now, an empty line that
# none is. When the input ends, because the server is to stop or because whoever started it is gone, however it went:
# ends the server and removes the folder.
trap '' HUP INT TERM
PATH=$PATH:/usr/bin:/bin
folder=$1
signal=$2
pid=
while read -r told; do pid=$told; done
if [ -n "$pid" ]; then
  kill -s "$signal" "$pid" 2>/dev/null
  tries=0
  while kill -0 "$pid" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -eq 250 ] && kill -s KILL "$pid" 2>/dev/null
    [ "$tries" -eq 500 ] && break
    sleep 0.02
  done
fi
rm -rf -- "$folder"
