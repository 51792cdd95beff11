#!/bin/bash
# The lab of a build folder, around the cluster tests: up finds one that runs already and leaves
# it alone. On a cluster of somebody else's (RADOSLOAD_TEST_CONF) there is nothing to do.
set -euo pipefail
[[ -z ${RADOSLOAD_TEST_CONF:-} ]] || exit 0
lab=$(dirname "${BASH_SOURCE[0]}")/../../tools/lab
case $1 in
  up) exec "$lab" up --profile fast --dir "$2" ;;
  down) exec "$lab" down --dir "$2" ;;
esac
