# shellcheck shell=bash
# dev_setup: Debian packages from tools/packages/*.txt and the tests' own Python environment.
# If nothing is missing it only runs dpkg, so that every other command can begin with it.

# The system's own, since a version manager earlier in PATH may shadow it with one without venv.
PYTHON=/usr/bin/python3
VENV=$ROOT/.cache/venv

dev_setup() {
  no_words setup "$@"
  local lock
  mkdir -p "$ROOT/.cache"
  exec {lock}>"$ROOT/.cache/setup.lock"
  flock "$lock"  # two set-ups of one tree would build the same environment at once
  setup_packages
  setup_python
  exec {lock}>&-
}

debian_version() {
  local ID='' VERSION_ID=''
  # shellcheck source=/dev/null
  [[ ! -r ${RADOSLOAD_OS_RELEASE:-/etc/os-release} ]] || source "${RADOSLOAD_OS_RELEASE:-/etc/os-release}"
  printf '%s %s' "${ID:-unknown}" "${VERSION_ID:-}"
}

# wanted_packages VERSION [LIST...]: a line of the lists is a name, and perhaps `debian=12` for a
# package that only that release has. Everything from # on is a comment.
wanted_packages() {
  local version=$1 list
  shift
  [[ $# -gt 0 ]] || set -- build lab test deb
  for list in "$@"; do
    sed -e 's/#.*//' "$ROOT/tools/packages/$list.txt" |
      awk -v only="debian=$version" 'NF == 1 || (NF == 2 && $2 == only) {print $1}'
  done
}

# Reads names, prints those that are not installed.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f='${Package} ${Status}\n' 2>/dev/null |
    sed -n 's/ install ok installed$//p')
  grep -vxF -f <(printf '%s\n' "$installed") || true
}

setup_packages() {
  local system missing
  system=$(debian_version)
  case $system in
    'debian 12' | 'debian 13') ;;
    *)
      die "setup knows Debian 12 and 13, this is ${system% }. Install these or what they are called here:" \
        "$(wanted_packages 12 | tr '\n' ' ')" ;;
  esac
  missing=$(wanted_packages "${system#debian }" | missing_packages)
  if [[ -z $missing ]]; then
    say "packages: all there"
    return
  fi
  # shellcheck disable=SC2086  # a list of names, one word each
  install_packages $missing
}

install_packages() {
  say "packages: installing $*"
  as_root apt-get update -qq
  apt_get install "$@" && return
  # Another apt may be running (for example unattended upgrades), so this waits and tries again.
  say "packages: apt failed; once more in 20 s, in case another apt was at work"
  sleep 20
  as_root apt-get update -qq
  apt_get install "$@" || die "apt could not install: $*"
}

# apt_get install|build-dep WORDS...
apt_get() {
  mkdir -p "$ROOT/.cache"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get "$1" -y -qq --no-install-recommends \
    -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "${@:2}" </dev/null >"$ROOT/.cache/apt.log" 2>&1 || {
    tail -n 15 "$ROOT/.cache/apt.log" >&2
    return 1
  }
}

as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo -- "$@"
  else
    die "packages are missing, and installing them needs root or sudo"
  fi
}

# Other programs that read radosload's output (NumPy, HdrHistogram): for tests only, exactly pinned.
setup_python() {
  local wanted
  wanted=$(cat "$ROOT"/tests/requirements{,-source}.txt <("$PYTHON" --version) | sha256sum)
  if [[ -f $VENV/made-from && $(<"$VENV/made-from") == "$wanted" ]]; then
    say "python: all there"
    return
  fi
  say "python: making .cache/venv from tests/requirements.txt"
  "$PYTHON" -m venv --clear "$VENV"
  pip_install --only-binary :all: --requirement "$ROOT/tests/requirements.txt"
  # Built with the setuptools that has just been installed, and not with one from the network.
  pip_install --no-build-isolation --use-pep517 \
    --requirement "$ROOT/tests/requirements-source.txt"
  printf '%s' "$wanted" >"$VENV/made-from"
}

# Installs only files whose hash is known.
pip_install() {
  "$VENV/bin/python3" -m pip install --quiet --disable-pip-version-check --no-input --retries 5 \
    --require-hashes --no-deps "$@" ||
    die "pip could not install tests/requirements.txt and requirements-source.txt into .cache/venv"
}
