# shellcheck shell=bash
# dev_fuzz: libFuzzer looks for inputs that break a parser. Inputs that reach more code are kept in the
# archives of tests/fuzz/corpus, and every test run replays them.

FUZZ_TARGETS=(pattern cluster_json osds records trace config figures study page probe)

# dev_fuzz [SECONDS for each target [TARGET...]]
dev_fuzz() {
  local seconds=${1:-120} target
  local -a targets=("${@:2}")
  [[ $seconds =~ ^[0-9]+$ ]] || usage_error "fuzz takes a number of seconds for each target"
  [[ ${#targets[@]} -gt 0 ]] || targets=("${FUZZ_TARGETS[@]}")
  for target in "${targets[@]}"; do
    [[ " ${FUZZ_TARGETS[*]} " == *" $target "* ]] ||
      usage_error "there is no fuzz target '$target'; there are ${FUZZ_TARGETS[*]}"
  done
  need_tool clang++-14
  configure fuzz
  compile fuzz "${targets[@]/#/fuzz_}"
  for target in "${targets[@]}"; do
    fuzz_one "$target" "$seconds"
  done
}

# libFuzzer writes new inputs to FOUND; those that reach code which no other input reaches are added
# to the kept ones, which are packed again.
fuzz_one() {
  local target=$1 seconds=$2 kept=build/fuzz/kept/$1
  local found=build/fuzz/found/$target broken=build/fuzz/broken/$target-
  mkdir -p "$found" build/fuzz/broken
  fuzz_corpus unpack "$target" "$kept" >/dev/null || die "$target: its kept inputs cannot be unpacked"
  say "fuzz: $target for $seconds s"
  build/fuzz/tests/"fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3000 \
    -max_len=20000 -print_final_stats=1 -verbosity=0 -artifact_prefix="$broken" \
    "$found" "$kept" || die "$target: an input broke it: $broken*; after the repair, copy it to
tests/fuzz/corpus/$target under a name that says what it breaks"
  build/fuzz/tests/"fuzz_$target" -merge=1 -verbosity=0 -max_len=2000 "$kept" "$found" \
    >/dev/null 2>&1 || die "$target: its inputs cannot be merged"
  fuzz_corpus pack "$target" "$kept" >/dev/null || die "$target: its kept inputs cannot be packed"
  say "fuzz: $target keeps $(find "$kept" -type f | wc -l) inputs"
}

fuzz_corpus() { "$PYTHON" -B tests/fuzz/corpus.py "$@"; }
