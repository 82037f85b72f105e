#!/bin/sh
# Starts a service with the secrets of the installation, where the environment does not bring its own, and so that no
# signal opens its debugger.
set -eu

kept() {
  if [ -r "$DATA_DIR/$1" ]; then cat "$DATA_DIR/$1"; fi
}

[ -n "${SECRET_KEY:-}" ] || SECRET_KEY=$(kept secret-key)
[ -n "${OPERATOR_TOKEN:-}" ] || OPERATOR_TOKEN=$(kept operator-token)
NODE_OPTIONS="${NODE_OPTIONS:-} --disable-sigusr1"
export SECRET_KEY OPERATOR_TOKEN NODE_OPTIONS

exec "$@"
