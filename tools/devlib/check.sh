# shellcheck shell=bash
# dev_fmt, dev_tidy, dev_planted and dev_coverage: checks on the source with the tools of Debian 12,
# because other versions of clang format differently and have other warnings.

CLANG_FORMAT=clang-format-14

need_tool() {
  command -v "$1" >/dev/null ||
    die "$1 is not installed. It belongs to Debian 12 (tools/dev setup installs it there)"
}

cpp_sources() {
  find include src tests tools \( -name '*.cc' -o -name '*.h' \) -type f | sort
}

dev_fmt() {
  local -a files mode=(-i)
  case "${1:-}" in
    '') ;;
    --check) mode=(--dry-run -Werror --ferror-limit=3) ;;
    *) usage_error "fmt takes --check or nothing" ;;
  esac
  need_tool "$CLANG_FORMAT"
  mapfile -t files < <(cpp_sources)
  "$CLANG_FORMAT" --style=file "${mode[@]}" "${files[@]}" ||
    die "not formatted; tools/dev fmt does it"
  say "format: ${#files[@]} files"
}

dev_tidy() {
  case "${1:-}" in
    '' | --all) ;;
    *) usage_error "tidy takes --all or nothing" ;;
  esac
  need_tool clang-tidy-14
  # The builds that run the tests compile several files as one; this preset has each file by itself.
  # It is never built, so it must be configured again to find new files.
  cmake --preset tidy >/dev/null
  local changed=''
  # Assigned first: a failure inside <( ) would be lost.
  if [[ -z ${1:-} ]]; then
    if [[ -z $(tidy_base) ]]; then
      say "tidy: no earlier state to compare with; 'tools/dev tidy --all' checks everything"
      return
    fi
    changed=$(changed_files)
  fi
  "$PYTHON" tools/devlib/tidy.py "$@" "$(jobs_at_once)" build/tidy/compile_commands.json \
    <<<"$changed" || die "tidy: the findings above; each is an error"
}

changed_files() {
  local base
  base=$(tidy_base)
  git diff --name-only --diff-filter=d "$base"
  git ls-files --others --exclude-standard
}

# The commit to compare with: where this branch left main. On main itself (for example CI's clone)
# that would be the newest commit, so there it is the last commit made more than three hours earlier;
# checking a day's changes would take longer than the rest of CI. Prints nothing if there is no such
# commit. `tidy --all` checks older changes.
tidy_base() {
  local head ref base newest
  if [[ -n ${RADOSLOAD_TIDY_BASE:-} ]]; then
    git rev-parse --verify "$RADOSLOAD_TIDY_BASE^{commit}"
    return
  fi
  head=$(git rev-parse HEAD)
  for ref in origin/main main; do
    base=$(git merge-base HEAD "$ref" 2>/dev/null) || continue
    [[ $base == "$head" ]] || { printf '%s\n' "$base"; return; }
  done
  newest=$(git log -1 --format=%ct)
  git rev-list -1 --before=$((newest - 10800)) HEAD
}

dev_planted() {
  "$PYTHON" -B tests/planted/check.py . build/planted "$@" --jobs "$(jobs_at_once)"
}

dev_coverage() {
  no_words coverage "$@"
  configure coverage
  compile coverage
  find build/coverage -name '*.gcda' -delete
  local tests=0
  run_ctest coverage '' build/coverage/results || tests=$?
  # Counters of threads that count at once may be below 0, which gcovr takes for an error.
  gcovr --root . --filter src/ --filter include/ --object-directory build/coverage \
    --exclude-unreachable-branches --exclude-throw-branches --gcov-ignore-parse-errors \
    --html-details build/coverage/coverage.html --print-summary --sort-percentage
  say "coverage: line by line in build/coverage/coverage.html"
  return "$tests"
}
