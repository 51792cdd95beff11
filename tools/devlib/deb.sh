# shellcheck shell=bash
# dev_deb: builds Debian packages from a clean export of the tree, and installs, uses and removes them
# on a bare system. Packages for another release than this machine's are built in a folder.

DEB=$ROOT/build/deb
DEB_ROOT=''  # the folder that is the system to build in; empty: this machine
DEB_NOCHECK=''  # nocheck: the unit tests are neither built nor run

dev_deb() {
  local here release='' test='' twice='' word
  here=$(debian_version)
  here=${here#debian }
  for word in "$@"; do
    case $word in
      --test) test=yes ;;
      --twice) twice=yes ;;
      --nocheck) DEB_NOCHECK=nocheck ;;
      12 | 13) release=$word ;;
      *) usage_error "deb takes 12 or 13 (Debian's release), --test, --twice and --nocheck, not '$word'" ;;
    esac
  done
  release=${release:-$here}
  codename_of "$release" >/dev/null
  [[ $EUID -eq 0 || ($release == "$here" && -z $test) ]] ||
    die "this needs root: it makes a chroot. Without, tools/dev deb builds for this release"
  mkdir -p "$DEB/$release"
  if [[ $release == "$here" ]]; then
    deb_build "$release" "$DEB/$release/work" "$twice"
  else
    bare_debian "$release" "$DEB/$release/base"
    [[ -d $DEB/$release/root ]] || cp -a "$DEB/$release/base" "$DEB/$release/root"
    inside "$DEB/$release/root" deb_build_inside "$release" "$twice"
  fi
  [[ -z $test ]] || deb_try "$release"
  say "deb: packages for Debian $release:"
  printf '  %s\n' "$DEB/$release"/*.deb
}

# In a folder that has only the packages that debian/control requires.
deb_build_inside() {
  DEB_ROOT=$3
  mount_root "$DEB_ROOT"
  deb_export "$1" "$DEB_ROOT/work/radosload"
  chroot_run "$DEB_ROOT" apt-get update -qq
  chroot_run "$DEB_ROOT" sh -c 'apt-get build-dep -y -qq --no-install-recommends /work/radosload &&
    apt-get install -y -qq --no-install-recommends lintian' >"$DEB/$1/apt.log" 2>&1 || {
    tail -n 15 "$DEB/$1/apt.log" >&2
    die "what debian/control asks for cannot be installed on Debian $1"
  }
  deb_build "$1" "$DEB_ROOT/work" "$2"
}

# deb_run FOLDER [NAME=VALUE...] COMMAND...: runs the command in FOLDER on the system for the build.
deb_run() {
  local folder=$1
  shift
  if [[ -n $DEB_ROOT ]]; then
    chroot_run "$DEB_ROOT" env --chdir="${folder#"$DEB_ROOT"}" "$@"
  else
    env --chdir="$folder" "$@"
  fi
}

# deb_requirements RELEASE FOLDER: installs on this machine what the export in FOLDER requires, and
# nothing of what only tests and labs need. When all is there it asks no archive.
deb_requirements() {
  local missing
  missing=$(wanted_packages "$1" deb | missing_packages)
  # shellcheck disable=SC2086  # a list of names, one word each
  [[ -z $missing ]] || install_packages $missing
  ! (cd "$2" && dpkg-checkbuilddeps 2>/dev/null) || return 0
  say "packages: installing what packaging/debian/control requires"
  as_root apt-get update -qq
  apt_get build-dep "$2" || die "what packaging/debian/control requires cannot be installed"
}

# deb_build RELEASE FOLDER [TWICE]
deb_build() {
  local ccache=''
  rm -rf "$2"
  deb_export "$1" "$2/radosload"
  [[ -n $DEB_ROOT ]] || deb_requirements "$1" "$2/radosload"
  # On this machine ccache saves compiling unchanged files again. (A folder has no ccache.)
  ccache=$(command -v ccache || true)
  CMAKE_CXX_COMPILER_LAUNCHER=$ccache CCACHE_DIR=${CCACHE_DIR:-$HOME/.cache/ccache} \
    dpkg_build "$2/radosload" LC_ALL=C.UTF-8
  deb_lint "$2"
  [[ -z ${3:-} ]] || deb_build_again "$1" "$2"
  rm -f "$DEB/$1"/*.deb
  cp "$2"/*.deb "$DEB/$1/"
}

# Exports the committed files, with debian/ where dpkg expects it. The version includes the Debian
# release, so that the package for the next release is an upgrade.
deb_export() {
  rm -rf "$2"
  mkdir -p "$2"
  [[ -z $(git status --porcelain) ]] || say "deb: what is not committed is not in the packages"
  git archive HEAD | tar --extract --directory="$2" --file=-
  cp -r "$2/packaging/debian" "$2/debian"
  sed -i "1s/(\(.*\)) [a-z]*;/(\1~deb$1) $(codename_of "$1");/" "$2/debian/changelog"
}

# dpkg_build FOLDER NAME=VALUE...
dpkg_build() {
  local folder=$1 log=$1.log
  shift
  say "deb: building in ${folder#"$ROOT"/}"
  deb_run "$folder" DEB_BUILD_OPTIONS="parallel=$(jobs_at_once) $DEB_NOCHECK" "$@" \
    dpkg-buildpackage --no-sign --build=binary >"$log" 2>&1 || {
    tail -n 40 "$log" >&2
    die "the packages cannot be built; all of it is in ${log#"$ROOT"/}"
  }
  grep -o '[0-9]*% tests passed.*' "$log" | sed 's/^/deb: /' || true
}

deb_lint() {
  deb_run "$1" sh -c 'lintian --allow-root --fail-on error,warning --tag-display-limit 0 *.changes' ||
    die "lintian: the findings above; what is meant belongs into packaging/debian/*.lintian-overrides"
  say "deb: lintian has nothing to say"
}

# Checks that a build in another folder, with another language, time zone and umask and without ccache,
# gives the same bytes. Does not repeat the tests.
deb_build_again() {
  local folder=$2/again/radosload package differ=''
  deb_export "$1" "$folder"
  (umask 0002 && dpkg_build "$folder" LC_ALL=C TZ=Pacific/Kiritimati CCACHE_DISABLE=1 \
    DEB_BUILD_OPTIONS="parallel=$(jobs_at_once) nocheck")
  for package in "$2"/*.deb; do
    cmp "$package" "$2/again/${package##*/}" || differ+=" ${package##*/}"
  done
  [[ -z $differ ]] || die "two builds give different bytes:$differ (diffoscope tells in what)"
  say "deb: two builds give the same bytes"
}

# Tries the packages on a bare system, which is made anew each time.
deb_try() {
  local bare=$DEB/$1/bare
  bare_debian "$1" "$DEB/$1/base"
  rm -rf --one-file-system "$bare"
  cp -a "$DEB/$1/base" "$bare"
  mkdir "$bare/packages"
  cp "$DEB/$1"/radosload_*.deb "$DEB/$1"/radosload-lab_*.deb packaging/try_{packages,service} \
    "$bare/packages/"
  inside "$bare" in_bare || die "the packages for Debian $1 do not pass"
  deb_try_service "$bare" || die "the service of the packages for Debian $1 does not pass"
  rm -rf --one-file-system "$bare"
}

in_bare() {
  mount_root "$1"
  chroot_run "$1" /packages/try_packages
}

# The service of the package, with systemd as the first process of the same system.
deb_try_service() {
  local log=$1/packages/service.log
  inside "$1" in_bare_with_systemd || return 1
  say "deb: trying the service under systemd"
  inside "$1" boot_system /packages/try_service >"$1.boot.log" 2>&1 || {
    tail -n 40 "$1.boot.log" "$log" >&2
    return 1
  }
  tail -n 1 "$log"
}

in_bare_with_systemd() {
  mount_root "$1"
  chroot_run "$1" sh -c 'apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 systemd \
    /packages/radosload_*.deb /packages/radosload-lab_*.deb' >"$1.systemd.log" 2>&1 || {
    tail -n 20 "$1.systemd.log" >&2
    return 1
  }
}
