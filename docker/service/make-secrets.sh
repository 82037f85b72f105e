#!/bin/sh
# Makes the secrets that all services of an installation share, at its first start, and never again: what SECRET_KEY
# has signed and encrypted can be read with nothing else. One that is brought along is not made: nobody should take a
# file that nothing was signed with for the key to be kept.
#   make-secrets.sh FOLDER   FOLDER gets SECRET_KEY alone, for the services that need no OPERATOR_TOKEN.
set -eu
key_alone=$1
umask 077
cd "$DATA_DIR"

# $1.new becomes $1, all of it or nothing.
keep() {
  sync "$1.new"
  mv "$1.new" "$1"
  sync "$(dirname "$1")"
}
make() {
  if [ -e "$1" ] || [ -n "$2" ]; then return; fi
  node --print 'require("node:crypto").randomBytes(32).toString("base64url")' >"$1.new"
  keep "$1"
}

make secret-key "${SECRET_KEY:-}"
make operator-token "${OPERATOR_TOKEN:-}"
if [ -e secret-key ] && ! cmp -s secret-key "$key_alone/secret-key"; then
  cp secret-key "$key_alone/secret-key.new"
  keep "$key_alone/secret-key"
fi
