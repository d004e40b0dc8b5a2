#!/usr/bin/env bash
# Runs the package for Linux on arm64 under qemu: the service with Node.js, PostgreSQL and libraries for arm64, from an
# empty folder to the first delivery of a mention. It needs Debian on x64 and Linux 6.7 or newer, where a format of
# programs can be told to a name space alone; not root, and nothing is installed.
# Usage: scripts/check-arm64.sh [TARBALL]
set -euo pipefail
if [ $# -gt 0 ]; then set -- "$(realpath "$1")"; fi
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tarball=${1:-$(node scripts/package.mjs "$work" | tail -n 1)}

# as_root COMMAND...: in a name space of its own.
as_root() { unshare --user --map-root-user --mount "$@"; }

echo 'arm64: programs and libraries'
for package in qemu-user-static mmdebstrap; do
  (cd "$work" && apt-get download -q "$package" && dpkg -x "$package"_*.deb "$work/tools") >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
  }
done
as_root "$work/tools/usr/bin/mmdebstrap" --quiet --mode=root --aptopt='APT::Sandbox::User "root"' --variant=extract \
  --architectures=arm64 --include=libc6,libgcc-s1,libstdc++6 bookworm "$work/root"
node --eval 'import("./scripts/package/node.mjs").then(({ addNode }) => addNode(process.argv[1], "linux-arm64"))' \
  "$work/node"
npm install --prefix "$work/app" --no-save --prefer-offline --loglevel=error \
  --os=linux --cpu=arm64 --libc=glibc "$tarball"

# The libraries appear where those of this system are, as they would with several architectures.
# shellcheck disable=SC2016
enter='
  set -e
  mount -t overlay -o "lowerdir=$1/root/lib:$1/root/usr/lib:/usr/lib" overlay /usr/lib
  mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
  magic="\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
  mask="\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
  printf "%s" ":arm64:M::$magic:$mask:$1/tools/usr/bin/qemu-aarch64-static:PF" >/proc/sys/fs/binfmt_misc/register
  exec unshare --user --map-user=1000 --map-group=1000 \
    node scripts/package/deliver-once.mjs "$1/node/bin/node" "$1/app/node_modules"'
as_root bash -c "$enter" enter "$work"
