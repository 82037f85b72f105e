#!/bin/sh
# Makes the secrets that all services of an installation share, at its first start, and never again: what SECRET_KEY
# has signed and encrypted can be read with nothing else. One that is brought along is not made: nobody should take a
# file that nothing was signed with for the key to be kept.
set -eu
umask 077
cd "$DATA_DIR"

make() {
  name=$1
  brought=$2
  if [ -e "$name" ] || [ -n "$brought" ]; then return; fi
  node --print 'require("node:crypto").randomBytes(32).toString("base64url")' >"$name.new"
  sync "$name.new"
  mv "$name.new" "$name"
  sync .
}

make secret-key "${SECRET_KEY:-}"
make operator-token "${OPERATOR_TOKEN:-}"
