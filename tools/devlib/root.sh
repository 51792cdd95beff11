# shellcheck shell=bash
# Makes a Debian system in a folder, and runs commands in it. Packages come from the archives of this
# machine's apt.

codename_of() {
  case $1 in
    12) printf bookworm ;;
    13) printf trixie ;;
    *) usage_error "Debian $1 is not one of those that are known here: 12, 13" ;;
  esac
}

# The Debian archives of this machine's apt: lines of address and suite.
debian_sources() {
  # shellcheck disable=SC2016  # these are apt's own
  apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(CODENAME) $(COMPONENT)' \
    'Created-By: Packages' | awk '$1 == "Debian" && $4 == "main" {print $2, $3}' | sort -u
}

# The same for another release, as a sources.list.
sources_for() {
  local wanted=$1 here address suite
  here=$(codename_of "$(debian_version | cut -d' ' -f2)")
  debian_sources | while read -r address suite; do
    printf 'deb %s %s main\n' "$address" "${suite/#$here/$wanted}"
  done
}

# bare_debian RELEASE FOLDER: makes a minimal Debian, if the folder does not exist.
bare_debian() {
  local codename mirror
  [[ ! -d $2 ]] || return 0
  codename=$(codename_of "$1")
  mirror=$(debian_sources | awk '$2 !~ /-/ {print $1; exit}')
  [[ -n $mirror ]] || die "apt knows no archive of Debian here; 'apt-get update' may help"
  say "debian $1: making $2"
  mkdir -p "$(dirname "$2")"
  rm -rf --one-file-system "$2.new"
  # With mounts of its own, which go with it when it is killed: it mounts /proc in the folder.
  unshare --mount -- debootstrap --variant=minbase --include=ca-certificates "$codename" "$2.new" \
    "$mirror" >"$2.log" 2>&1 || {
    tail -n 5 "$2.log" >&2
    die "debootstrap could not make a Debian $1"
  }
  sources_for "$codename" >"$2.new/etc/apt/sources.list"
  # If this machine's apt needs a proxy, the new system needs it as well.
  apt-config dump | grep -E '^Acquire::https?::Proxy' >"$2.new/etc/apt/apt.conf.d/90proxy" || true
  mv "$2.new" "$2"
}

# inside FOLDER FUNCTION...: runs a function of tools/dev in namespaces of its own for mounts, processes
# and the host's name, so that all end with it. The function calls mount_root first and uses chroot_run.
inside() {
  unshare --mount --pid --uts --ipc --fork --kill-child -- "$ROOT/tools/dev" _call "${@:2}" "$1"
}

mount_root() {
  local folder=$1 which
  mount --make-rprivate /
  # Files that the network needs: name servers and trusted certificates.
  for which in /etc/resolv.conf /etc/ssl/certs/ca-certificates.crt; do
    [[ ! -r $which ]] || cp --dereference "$which" "$folder$which"
  done
  mount --bind "$folder" "$folder"
  mount -t proc proc "$folder/proc"
  mount --rbind /sys "$folder/sys"
  mount --rbind /dev "$folder/dev"
}

# chroot_run FOLDER [NAME=VALUE...] COMMAND...
chroot_run() {
  local folder=$1
  shift
  chroot "$folder" env --unset=CMAKE_CXX_COMPILER_LAUNCHER HOME=/root \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# boot_system SCRIPT FOLDER: systemd becomes the first process of the system in FOLDER and runs the script as
# a service. The status is 0 if that succeeds within three minutes. Called by `inside`.
boot_system() {
  local script=$1 folder=$2 which
  mkdir -p "$folder/etc/systemd/system/multi-user.target.wants"
  cat >"$folder/etc/systemd/system/try.service" <<EOF
[Service]
Type=oneshot
ExecStart=$script
# However it ends, the system ends with it.
ExecStopPost=/bin/sh -c 'systemctl exit \$([ "\$SERVICE_RESULT" = success ]; echo \$?)'
TimeoutStartSec=180
StandardOutput=append:/packages/service.log
StandardError=append:/packages/service.log
EOF
  ln -sf ../try.service "$folder/etc/systemd/system/multi-user.target.wants/"
  mount --make-rprivate /
  mount --bind "$folder" "$folder"
  mount -t proc proc "$folder/proc"
  mount -t sysfs -o ro sysfs "$folder/sys"
  mount --rbind /sys/fs/cgroup "$folder/sys/fs/cgroup"
  # Devices and sockets of this machine are not for a second systemd.
  for which in dev run tmp; do mount -t tmpfs -o mode=755 tmpfs "$folder/$which"; done
  chmod 1777 "$folder/tmp"
  mkdir "$folder/dev/shm" "$folder/dev/pts"
  chmod 1777 "$folder/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$folder/dev/pts"
  ln -s pts/ptmx "$folder/dev/ptmx"
  for which in null zero full random urandom tty; do
    touch "$folder/dev/$which"
    mount --bind "/dev/$which" "$folder/dev/$which"
  done
  # As systemd finds it on a machine of its own: what it mounts is seen by its services.
  mount --make-rshared /
  exec chroot "$folder" /usr/bin/env --ignore-environment container=lxc \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=console
}
