# shellcheck shell=bash
# Functions for every command: messages, and the number of compilers that may run at once.

say() { printf '%s\n' "$*"; }

die() {
  printf 'tools/dev: %s\n' "$*" >&2
  exit 1
}

usage_error() {
  printf 'tools/dev: %s\nSee tools/dev --help.\n' "$*" >&2
  exit 2
}

# no_words COMMAND "$@": a usage error if any words were given.
no_words() {
  [[ $# -eq 1 ]] || usage_error "$1 takes no words, got '$2'"
}

jobs_at_once() { printf '%s' "${RADOSLOAD_JOBS:-$(nproc)}"; }
