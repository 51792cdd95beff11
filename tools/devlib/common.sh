# shellcheck shell=bash
# What every command shares: words to the person, and how many compilers may run at once.

say() { printf '%s\n' "$*"; }

die() {
  printf 'tools/dev: %s\n' "$*" >&2
  exit 1
}

usage_error() {
  printf 'tools/dev: %s\nSee tools/dev --help.\n' "$*" >&2
  exit 2
}

# no_words COMMAND "$@": for commands that take none.
no_words() {
  [[ $# -eq 1 ]] || usage_error "$1 takes no words, got '$2'"
}

jobs_at_once() { printf '%s' "${RADOSLOAD_JOBS:-$(nproc)}"; }
