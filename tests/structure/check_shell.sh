#!/bin/bash
# Every shell script of ours parses, and shellcheck has nothing to say about it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

shell_scripts() {
  find .ci tools tests packaging -type f -name '*.sh' 2>/dev/null || true
  # And those without the ending, by their first line.
  find .ci tools tests packaging -type f ! -name '*.*' \
    -exec awk 'FNR == 1 && /^#!.*(bash|\/sh)/ {print FILENAME} {nextfile}' {} + 2>/dev/null || true
}

mapfile -t scripts < <(shell_scripts | sort -u)
for script in "${scripts[@]}"; do
  bash -n "$script"
done
shellcheck --external-sources "${scripts[@]}"
echo "shell: ${#scripts[@]} scripts"
