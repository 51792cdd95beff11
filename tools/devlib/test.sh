# shellcheck shell=bash
# dev_test, dev_steady and dev_demo: the commands that run in stages. What each tier of the tests has is
# told in docs/developing.md; tests/tiers.txt says which tests are left to the second one.

DEMO_LAB=build/demo-lab
RESULTS=build/asan/results  # of each label of tests: ctest.log, tests.xml, again/ for a second try
TEST_LABELS=(unit cli cluster)
ALONE=build/asan/alone  # the same, of tests that are timed once more
SLOWEST=build/asan/slowest.txt
FULL_STAGES=(tests tsan packages tidy sessions planted studies fuzz coverage debian13)

# test_labs up|down BUILD: starts or stops the labs for the tests of a build.
test_labs() { tests/support/lab_fixture.sh "$1" "$ROOT/$2"; }

lab_up() { tools/lab up --profile "$1" --dir "$2"; }

lab_down() {
  [[ ! -d $1 ]] || tools/lab down --dir "$1"
}

dev_test() {
  local which=${1:-}
  case $which in
    full) check_full_stages "${@:2}" ;;
    '' | quick | unit | cli | cluster) [[ $# -le 1 ]] || usage_error "test takes one word" ;;
    *) usage_error "there are no tests '$which'; there are full, quick, unit, cli, cluster" ;;
  esac
  # On a new machine there may be no Python before the set-up.
  [[ -n ${RADOSLOAD_DEV_CPU:-} || ! -x $PYTHON ]] ||
    exec "$PYTHON" -B tools/devlib/cpu.py run build/cpu.jsonl "$ROOT/tools/dev" test "$@"
  begin_stages test_cleanup
  rm -rf "$RESULTS" "$SLOWEST"
  case $which in
    '') first_tier ;;
    full) full_stages "${@:2}" ;;
    *) test_some "$which" ;;
  esac
  finish_stages
}

# What CI checks. Its stages have budgets of CPU time, since wall time says little on a busy machine.
first_tier() {
  stage_here setup dev_setup
  stage_of_12 format dev_fmt --check
  stage 'build asan' dev_build asan
  test_stages "${TEST_LABELS[@]}"
  [[ -z ${RADOSLOAD_DEV_CPU:-} ]] || stage budgets check_budgets
}

# Runs the tests of a label, for use while editing.
test_some() {
  stage_here setup dev_setup
  [[ $1 != quick ]] || stage_of_12 format dev_fmt --check
  stage 'build asan' dev_build asan
  test_stages "${1/quick/unit}"
}

# test_stages LABEL...: those of the first tier; all tests when WHOLE_TIER is set.
test_stages() {
  local label built
  built=$(last_result)
  for label in "$@"; do
    if [[ $built == ok ]]; then
      stage "tests $label" run_tests "$label"
    else
      skip_stage "tests $label" 'the build failed'
    fi
  done
  [[ $built != ok ]] || stage 'times of tests' test_times
}

run_tests() {
  if [[ -n ${WHOLE_TIER:-} ]]; then
    with_net "$1"
  else
    leave_out_long_cases
    # Each end of the program would read the 136 MB of variables of libceph-common, a third of what a start
    # costs. Its leaks are found by the tests on clusters, and in the full tier.
    [[ $1 != cli ]] || local -x ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
    with_net "$1" --label-exclude '^full$'
  fi
}

# Unit programs are one test each, so what the table leaves to the full tier is left out by a filter.
leave_out_long_cases() {
  GTEST_FILTER=-$(sed -nE 's/^full +- +unit:([^ ]+).*/\1/p' tests/tiers.txt | paste -sd:)
  export GTEST_FILTER
}

# with_net LABEL [WORDS]: runs tests; the few on a cluster that failed, once more alone, unless it was a
# failure that a busy machine does not explain.
with_net() {
  local label=$1 results=$RESULTS/$1 names
  run_ctest asan "$label" "$results" "${@:2}" && return
  names=$("$PYTHON" -B tools/devlib/unsteady.py again build/asan "$results") || return 1
  printf '\n=== once more, alone:\n%s\n' "$names"
  run_ctest asan '' "$results/again" --parallel 1 --tests-regex "$(regex_of <<<"$names")" || return 1
  "$PYTHON" -B tools/devlib/unsteady.py said "$results" >"$results/unsteady.txt"
}

# Reads names of tests, prints the regular expression that matches them, without the values of parameters.
regex_of() {
  printf '^(%s)( |$)' "$(sed 's/  # .*//; s/[][\\.*^$+?(){}|"]/./g' | paste -sd'|')"
}

test_cleanup() {
  [[ ! -d build/asan ]] || test_labs down build/asan >/dev/null 2>&1
}

# run_ctest PRESET LABEL RESULTS [WORDS]: no label means all. What each test counts for is in
# tests/RadosloadTest.cmake. The tests find the suppressions there, too.
run_ctest() {
  local -a only=()
  local folder=$ROOT/build/$1 labs=labs
  mkdir -p "$3"
  [[ -z $2 ]] || only=(--label-regex "^$2\$")
  [[ -z ${RADOSLOAD_TEST_CONF:-} ]] || labs=one_lab
  # Tests of tools/dev itself start it again.
  env --unset=RADOSLOAD_DEV_CPU --unset=WHOLE_TIER \
    ctest --test-dir "$folder" --parallel $((2 * $(jobs_at_once))) --output-on-failure \
    --no-tests=error --resource-spec-file "$folder/$labs.json" --output-log "$ROOT/$3/ctest.log" \
    --output-junit "$ROOT/$3/tests.xml" "${only[@]}" "${@:4}"
}

# Fails if a test takes too long without a reason. finish_stages shows the table.
test_times() {
  local -a times=("$PYTHON" -B tools/devlib/times.py tests/slow_tests.txt "$RESULTS"/*/tests.xml) alone=()
  local names
  if [[ -n ${WHOLE_TIER:-} ]]; then
    times+=(--complete)
  else
    leave_out_long_cases  # as when they were timed first
  fi
  names=$("${times[@]}" --suspects)
  if [[ -n $names ]]; then
    printf 'These took long beside others, and are timed alone:\n%s\n' "$names"
    run_ctest asan '' "$ALONE" --parallel 1 --tests-regex "$(regex_of <<<"$names")" || return 1
    alone=(--alone "$ALONE/tests.xml")
  fi
  "${times[@]}" "${alone[@]}" >"$SLOWEST" || { sed '0,/^$/d' "$SLOWEST"; return 1; }
}

check_budgets() {
  "$PYTHON" -B tools/devlib/cpu.py check "$RADOSLOAD_DEV_CPU" tests/budgets.txt ||
    die "the stages above cost more CPU time than tests/budgets.txt allows: make their tests cheaper, or" \
      "leave some to the full tier (tests/tiers.txt)"
}

# Prints the tables, and ctest's own summaries last, with the tests that passed only when run again.
finish_stages() {
  local label
  stage_table
  [[ ! -f $SLOWEST ]] || { printf '\n'; sed '/^$/,$d' "$SLOWEST"; }
  for label in "${TEST_LABELS[@]}"; do
    [[ -f $RESULTS/$label/ctest.log ]] || continue
    printf '\n%s:\n' "$label"
    sed -n '/tests passed, .* tests failed out of/,$p' "$RESULTS/$label/ctest.log"
  done
  cat "$RESULTS"/*/unsteady.txt 2>/dev/null || true
  exit "$STAGES_FAILED"
}

check_full_stages() {
  local word
  for word; do
    [[ " ${FULL_STAGES[*]} " == *" $word "* ]] ||
      usage_error "test full has no stage '$word'; it has ${FULL_STAGES[*]}"
  done
}

# full_stages [STAGE...]: the long check before a release; or those of its stages that a change needs.
full_stages() {
  local name
  [[ $# -gt 0 ]] || set -- "${FULL_STAGES[@]}"
  stage_here setup dev_setup
  for name; do
    "full_$name"
  done
}

full_tests() {
  WHOLE_TIER=yes
  # It makes a simulated run take three times as long.
  ASAN_OPTIONS+=:detect_stack_use_after_return=1
  export WHOLE_TIER ASAN_OPTIONS
  stage_of_12 format dev_fmt --check
  stage 'build asan' dev_build asan
  test_stages "${TEST_LABELS[@]}"
}

# The threaded tests, and the whole program interrupted 210 times.
full_tsan() {
  stage 'tsan' test_tsan
  stage 'signals tsan' signals_tsan
}

full_packages() {
  stage_of_12 packages dev_deb 12 --test --twice
  stage_of_12 'packages of 13' dev_deb 13 --test --twice
}

full_tidy() { stage_of_12 'tidy --all' dev_tidy --all; }
full_sessions() { stage 'session kills' session_kills; }
full_planted() { stage planted dev_planted; }
full_studies() { stage 'short studies' short_studies; }
full_fuzz() { stage fuzz dev_fuzz; }
full_coverage() { stage coverage dev_coverage; }
full_debian13() { stage debian13 dev_debian13; }

# Runs a stage that needs the tools of Debian 12, on machines that have them.
stage_of_12() {
  if [[ $(debian_version) == 'debian 13' ]]; then
    skip_stage "$1" 'its tools belong to Debian 12'
  else
    stage "$@"
  fi
}

# Only the threaded subset is built a second time.
test_tsan() {
  configure tsan
  compile tsan tsan_tests
  run_ctest tsan tsan build/tsan/results
}

signals_tsan() {
  dev_build asan  # the tests that start it
  configure tsan
  compile tsan radosload
  RADOSLOAD_PROGRAM=$ROOT/build/tsan/src/radosload build/asan/tests/cli --gtest_filter='*SignalsCli*'
}

# Two hundred sessions of which a member is killed at some moment: an hour and a half.
session_kills() {
  dev_build asan
  test_labs up build/asan
  RADOSLOAD_SESSION_KILLS=200 build/asan/tests/cluster --gtest_filter='*RandomKills.*'
}

# The shipped studies on labs of their own, to a verdict each: some ten minutes.
short_studies() {
  dev_build asan
  (cd tests/lab && RADOSLOAD_BINARY_DIR=$ROOT/build/asan "$PYTHON" -B -m unittest -v short_studies)
}

# dev_steady [N] [FILTER]: how often tests fail on a machine that is busy with other things.
dev_steady() {
  local rounds=${1:-20} filter=${2:-}
  [[ $# -le 2 && $rounds =~ ^[1-9][0-9]*$ ]] ||
    usage_error "steady takes a number of rounds, and 'first' or a regular expression of test names"
  begin_stages test_cleanup
  stage_here setup dev_setup
  stage 'build asan' dev_build asan
  stage steady run_steady "$rounds" "$filter"
  exit "$STAGES_FAILED"
}

run_steady() {
  cmake --preset tidy >/dev/null  # how the compiler beside them is called
  [[ $2 != first ]] || leave_out_long_cases
  "$PYTHON" -B tools/devlib/steady.py "$1" "$2" build/asan build/tidy/compile_commands.json \
    "$((2 * $(jobs_at_once)))"
}

# From a fresh machine to a measured cluster and back.
dev_demo() {
  no_words demo "$@"
  begin_stages demo_cleanup
  demo_stage stage_here setup dev_setup
  demo_stage stage 'build radosload' build_program release
  demo_stage stage 'lab up' lab_up homelab "$DEMO_LAB"
  demo_stage stage 'main job' demo_job
  demo_stage stage 'lab down' lab_down "$DEMO_LAB"
  stage_table
}

# Each needs those before it; the lab goes down in any case, by demo_cleanup.
demo_stage() {
  "$@"
  [[ $(last_result) == ok ]] || { stage_table; exit 1; }
}

demo_job() {
  export CEPH_CONF=$DEMO_LAB/ceph.conf PATH=$ROOT/build/release/src:$PATH
  say_and_do radosload status
  # Not saved in the user's own run store, because the cluster of this run will not exist any more.
  say_and_do radosload --pool hdd --pattern randrw4k --size 256M --time 20s --save build/demo-run.json
}

say_and_do() {
  printf '\n$ %s\n' "$*"
  "$@"
}

demo_cleanup() {
  lab_down "$DEMO_LAB" >/dev/null
}
