# shellcheck shell=bash
# dev_debian13: build, unit and cli tests on Debian 13, in a folder of this machine. Without cluster
# tests, because they would need Ceph in a chroot on loop devices of the host.

DEBIAN13=build/debian13

dev_debian13() {
  no_words debian13 "$@"
  [[ $EUID -eq 0 ]] || die "debian13 needs root: it makes a chroot"
  bare_debian 13 "$DEBIAN13/root"
  # Copies the files that git tracks; the build folder below is kept for the next time.
  mkdir -p "$DEBIAN13/root/src"
  git ls-files -z --cached --others --exclude-standard |
    tar --create --null --files-from=- --ignore-failed-read --file=- 2>/dev/null |
    tar --extract --directory="$DEBIAN13/root/src" --file=-
  inside "$DEBIAN13/root" in_debian13
}

in_debian13() {
  local which
  mount_root "$1"
  for which in unit cli; do
    chroot_run "$1" RADOSLOAD_JOBS="$(jobs_at_once)" /src/tools/dev test "$which"
  done
}
