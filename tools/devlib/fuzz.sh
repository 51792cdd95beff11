# shellcheck shell=bash
# dev_fuzz: libFuzzer looks for inputs that break a parser. What it has found useful is kept in
# tests/fuzz/corpus, and run again by every test run.

FUZZ_TARGETS=(pattern cluster_json osds records trace config)

# dev_fuzz [SECONDS for each target]
dev_fuzz() {
  local seconds=${1:-120} target
  [[ $seconds =~ ^[0-9]+$ ]] || usage_error "fuzz takes a number of seconds for each target"
  need_tool clang++-14
  configure fuzz
  compile fuzz "${FUZZ_TARGETS[@]/#/fuzz_}"
  for target in "${FUZZ_TARGETS[@]}"; do
    fuzz_one "$target" "$seconds"
  done
}

# New inputs go to the build folder; those that reach code nothing else reaches join the kept ones.
fuzz_one() {
  local target=$1 seconds=$2 kept=tests/fuzz/corpus/$1
  local found=build/fuzz/found/$target broken=build/fuzz/broken/$target-
  mkdir -p "$found" build/fuzz/broken
  say "fuzz: $target for $seconds s"
  build/fuzz/tests/"fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3000 \
    -max_len=20000 -print_final_stats=1 -verbosity=0 -artifact_prefix="$broken" \
    "$found" "$kept" || die "$target: the input that broke it is in $broken*"
  build/fuzz/tests/"fuzz_$target" -merge=1 -verbosity=0 -max_len=2000 "$kept" "$found" \
    >/dev/null 2>&1 || die "$target: its inputs cannot be merged"
  say "fuzz: $target keeps $(find "$kept" -type f | wc -l) inputs"
}
