#!/bin/sh
# Makes the secrets that all services of an installation share, at its first start, and never again: what SECRET_KEY
# has signed and encrypted can be read with nothing else.
set -eu
umask 077
cd "$DATA_DIR"

for name in secret-key operator-token; do
  if [ -e "$name" ]; then continue; fi
  node --print 'require("node:crypto").randomBytes(32).toString("base64url")' >"$name.new"
  sync "$name.new"
  mv "$name.new" "$name"
  sync .
done
