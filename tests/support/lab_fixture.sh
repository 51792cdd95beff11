#!/bin/bash
# The labs of a build folder, around the cluster tests: `lab_fixture.sh up BUILD`, `down BUILD`. Up
# leaves those that run already alone. On a cluster of somebody else's (RADOSLOAD_TEST_CONF) there is
# nothing to do.
set -euo pipefail

# So many cluster tests run side by side. tests/RadosloadTest.cmake reads this line.
LABS=3

[[ -z ${RADOSLOAD_TEST_CONF:-} ]] || exit 0
build=$2

# each WORD...: that command of tools/lab on all labs at once. (xargs, because the background jobs of
# a script ignore Ctrl-C.)
each() {
  local lab
  lab=$(dirname "${BASH_SOURCE[0]}")/../../tools/lab
  seq "$LABS" | xargs --max-procs="$LABS" -I NUMBER "$lab" "$@" --dir "$build/lab-NUMBER"
}

case $1 in
  up) each up --profile fast ;;
  down) each down ;;
esac
