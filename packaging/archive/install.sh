#!/bin/sh
# Installs Earshot from a release archive, or upgrades it: sh install.sh [--yes] [ARCHIVE]
# The archive and SHA256SUMS lie beside this script. Data and settings stay where they are.
set -eu
# Whatever the umask of root is, the user of the service reads what is installed.
umask 022

yes=
archive=
for argument in "$@"; do
  case $argument in
    --yes) yes=1 ;;
    -*) echo "Unknown option: $argument. Usage: sh install.sh [--yes] [ARCHIVE]" >&2; exit 2 ;;
    *) archive=$argument ;;
  esac
done

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if [ -z "$archive" ]; then
  for file in "$here"/earshot-*-linux-x64.tar.xz; do
    [ -z "$archive" ] || fail 'There are several archives. Name the one to install.'
    archive=$file
  done
fi
[ -f "$archive" ] || fail "There is no archive at $archive. Put earshot-VERSION-linux-x64.tar.xz beside this script."
name=$(basename "$archive")
sums=$(dirname "$archive")/SHA256SUMS
[ -f "$sums" ] || fail "SHA256SUMS is missing from $(dirname "$archive"). Download it from where the archive came from."

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || fail "The archive is for Linux on x86-64, and this is $(uname -s) on $(uname -m)."
# Alpine and other systems with musl have no such file.
[ -e /lib64/ld-linux-x86-64.so.2 ] || fail 'Earshot needs glibc, which this system does not have.'
[ "$(id -u)" -eq 0 ] || fail 'Run it as root, or unpack the archive and run bin/earshot start without installing it.'
if grep -qsx /opt/earshot /var/lib/dpkg/info/earshot.list; then
  fail 'Earshot is installed as a package of Debian here. Upgrade that: apt install ./earshot_VERSION_amd64.deb'
fi
for program in sha256sum tar xz useradd; do
  command -v "$program" >/dev/null || fail "The program $program is missing. Install it, then run this script again."
done

echo "Checking $name"
line=$(awk -v name="$name" '$2 == name' "$sums")
[ -n "$line" ] || fail "SHA256SUMS does not name $name."
(cd "$(dirname "$archive")" && printf '%s\n' "$line" | sha256sum --check --quiet) ||
  fail "$name is not the file that SHA256SUMS names. Download both again."

has_systemd=
if [ -d /run/systemd/system ]; then has_systemd=1; fi
cat <<END
This will:
  - put the program into /opt/earshot, in place of what is there
  - link it as /usr/local/bin/earshot
  - create the user earshot, where there is none
  - create /etc/earshot/earshot.env for settings and /var/lib/earshot for data, where they are missing
END
if [ -n "$has_systemd" ]; then
  echo '  - install the unit /etc/systemd/system/earshot.service, and start or restart the service'
else
  echo '  - install the unit /etc/systemd/system/earshot.service, without starting it: systemd does not run here'
fi
if [ -z "$yes" ]; then
  printf 'Go on? [y/N] '
  read -r answer || answer=
  case $answer in
    [yY] | [yY][eE][sS]) ;;
    *) echo 'Nothing was changed.'; exit 1 ;;
  esac
fi

rm -rf /opt/earshot.new /opt/earshot.old
mkdir -p /opt/earshot.new
tar --extract --xz --file "$archive" --directory /opt/earshot.new --strip-components=1 --no-same-owner
if [ -e /opt/earshot ]; then mv /opt/earshot /opt/earshot.old; fi
mv /opt/earshot.new /opt/earshot
rm -rf /opt/earshot.old
mkdir -p /usr/local/bin /etc/earshot /etc/systemd/system
ln -sf /opt/earshot/bin/earshot /usr/local/bin/earshot
id earshot >/dev/null 2>&1 ||
  useradd --system --user-group --home-dir /var/lib/earshot --no-create-home --shell /usr/sbin/nologin earshot
install -d -o earshot -g earshot -m 700 /var/lib/earshot
if [ ! -e /etc/earshot/earshot.env ]; then
  install -o root -g earshot -m 640 /opt/earshot/share/earshot.env /etc/earshot/earshot.env
fi
install -m 644 /opt/earshot/share/earshot.service /etc/systemd/system/earshot.service
if [ -n "$has_systemd" ]; then
  systemctl daemon-reload
  systemctl enable --quiet earshot.service
  systemctl restart earshot.service
  echo 'Earshot runs: systemctl status earshot'
else
  echo 'Earshot is installed.'
fi
echo 'Settings: /etc/earshot/earshot.env. Data: /var/lib/earshot. Guide: /opt/earshot/app/docs/guides/one-server.md'
