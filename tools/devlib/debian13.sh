# shellcheck shell=bash
# dev_debian13: build, unit and cli tests on Debian 13, in a folder of this machine. No cluster there:
# that would be Ceph in a chroot on loop devices of the host.

DEBIAN13=build/debian13

dev_debian13() {
  no_words debian13 "$@"
  [[ $EUID -eq 0 ]] || die "debian13 needs root: it makes a chroot"
  [[ -d $DEBIAN13/root ]] || make_debian13
  # A copy of what git knows; the build folder below it is kept for the next time.
  mkdir -p "$DEBIAN13/root/src"
  git ls-files -z --cached --others --exclude-standard |
    tar --create --null --files-from=- --ignore-failed-read --file=- 2>/dev/null |
    tar --extract --directory="$DEBIAN13/root/src" --file=-
  # Mounts and processes of its own, which are gone when it ends, however that comes.
  unshare --mount --pid --fork --kill-child -- "$ROOT/tools/dev" _call in_debian13 "$@"
}

make_debian13() {
  say "debian13: making $DEBIAN13/root"
  mkdir -p "$DEBIAN13"
  rm -rf "$DEBIAN13/root.new"
  debootstrap --variant=minbase --include=ca-certificates,git trixie "$DEBIAN13/root.new" \
    >"$DEBIAN13/debootstrap.log" 2>&1 || {
    tail -n 5 "$DEBIAN13/debootstrap.log" >&2
    die "debootstrap could not make a Debian 13"
  }
  mv "$DEBIAN13/root.new" "$DEBIAN13/root"
}

in_debian13() {
  local folder=$DEBIAN13/root which
  mount --make-rprivate /
  # What lets this machine reach packages: name servers, and whom it trusts.
  for which in /etc/resolv.conf /etc/ssl/certs/ca-certificates.crt; do
    [[ ! -r $which ]] || cp --dereference "$which" "$folder$which"
  done
  mount --bind "$folder" "$folder"
  mount -t proc proc "$folder/proc"
  mount --rbind /sys "$folder/sys"
  mount --rbind /dev "$folder/dev"
  for which in unit cli; do
    chroot "$folder" env HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
      RADOSLOAD_JOBS="$(jobs_at_once)" /src/tools/dev test "$which"
  done
}
