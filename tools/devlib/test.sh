# shellcheck shell=bash
# dev_test, dev_demo and dev_ci_full: the commands that run in stages.

DEMO_LAB=build/demo-lab
CTEST_LOG=build/asan/ctest.log
SLOWEST=build/asan/slowest.txt
# Half of the time of all unit tests: models with thousands of steps, days and large sizes, and the
# test that compiles. `test quick` does without them, `test unit` does not.
LONG_UNIT_TESTS='*Model.*:*Thousand*:MembershipRates.*:Aged*'
LONG_CHECK=structure.test_how_to_add

# test_labs up|down BUILD: starts or stops the labs for the tests of a build.
test_labs() { tests/support/lab_fixture.sh "$1" "$ROOT/$2"; }

lab_up() { tools/lab up --profile "$1" --dir "$2"; }

lab_down() {
  [[ ! -d $1 ]] || tools/lab down --dir "$1"
}

dev_test() {
  local which=${1:-all}
  [[ $# -le 1 ]] || usage_error "test takes one word"
  case $which in
    all) test_stages ;;
    quick | unit | cli | cluster) test_some "$which" ;;
    *) usage_error "there are no tests '$which'; there are all, quick, unit, cli, cluster" ;;
  esac
  finish_stages
}

# Runs the tests of some labels, for use while editing.
test_some() {
  begin_stages test_cleanup
  rm -f "$SLOWEST"
  stage_here setup dev_setup
  [[ $1 != quick ]] || stage_of_12 format dev_fmt --check
  stage 'build asan' dev_build asan
  if [[ $(last_result) != ok ]]; then
    skip_stage "tests $1" 'the build failed'
  elif [[ $1 == quick ]]; then
    stage 'tests quick' quick_tests
  else
    stage "tests $1" run_ctest asan "^$1\$"
  fi
}

quick_tests() {
  GTEST_FILTER="-$LONG_UNIT_TESTS" run_ctest asan '^unit$' --exclude-regex "^${LONG_CHECK//./\\.}\$"
}

# Short stages come first; the labs start while the compiler runs.
test_stages() {
  begin_stages test_cleanup
  rm -f "$CTEST_LOG" "$SLOWEST"
  stage_here setup dev_setup
  stage_of_12 format dev_fmt --check
  mkdir -p build/asan
  stage_beside build/asan/labs.log test_labs up build/asan
  stage 'build asan' dev_build asan
  local built
  built=$(last_result)
  join_stage 'labs up (beside build)' build/asan/labs.log
  # The tests mostly wait for clusters, so the other builds run at the same time with the lowest
  # priority.
  stage_beside build/asan/others.log in_the_gaps build_others
  if [[ $built == ok ]]; then
    stage 'tests asan' run_ctest asan ''
    stage 'times of tests' test_times
  else
    skip_stage 'tests asan' 'the build failed'
  fi
  join_stage 'others (beside tests)' build/asan/others.log
  stage 'build and tests tsan' test_tsan
  stage_of_12 'packages tried' try_packages
  stage_of_12 tidy dev_tidy
}

# in_the_gaps FUNCTION...: runs it with the lowest CPU priority, after this stage got its own session. If
# the scheduler groups processes by session (autogroup), niceness counts only within a session.
in_the_gaps() {
  echo 19 2>/dev/null >/proc/self/autogroup || true
  renice -n 19 $$ >/dev/null
  "$@"
}

build_others() {
  compile_tsan
  [[ $(debian_version) != 'debian 13' ]] || return 0
  [[ $EUID -ne 0 ]] || bare_debian 12 "$DEB/12/base"  # for the stage that tries the packages
  # The same unit tests run in the stage of tests; ci-full runs them in the packages' builds as well.
  dev_deb 12 --nocheck
}

# Only root can try the packages on a bare system; for other users they are only built.
try_packages() {
  if [[ $EUID -eq 0 ]]; then
    deb_try 12
  else
    say "packages: not installed anywhere, which takes root"
  fi
}

# Runs a stage that needs the tools of Debian 12, on machines that have them.
stage_of_12() {
  if [[ $(debian_version) == 'debian 13' ]]; then
    skip_stage "$1" 'its tools belong to Debian 12'
  else
    stage "$@"
  fi
}

test_cleanup() {
  [[ ! -d build/asan ]] || test_labs down build/asan >/dev/null 2>&1
}

# run_ctest PRESET LABELS [WORDS]: an empty pattern means all. The order (unit, cli, cluster), and what
# each test counts for, is in tests/RadosloadTest.cmake. The tests find the suppressions there, too.
run_ctest() {
  local -a only=()
  local folder=$ROOT/build/$1 labs=labs
  [[ -z $2 ]] || only=(--label-regex "$2")
  only+=("${@:3}")
  [[ -z ${RADOSLOAD_TEST_CONF:-} ]] || labs=one_lab
  ctest --test-dir "$folder" --parallel $((2 * $(jobs_at_once))) --output-on-failure \
    --no-tests=error --resource-spec-file "$folder/$labs.json" --output-log "$folder/ctest.log" \
    --output-junit "$folder/tests.xml" "${only[@]}"
}

# After all tests: fails if one takes too long without a reason. finish_stages shows the table.
test_times() {
  local -a times=("$PYTHON" -B tools/devlib/times.py build/asan/tests.xml tests/slow_tests.txt) alone=()
  local name names=
  while IFS= read -r name; do
    names+="${names:+|}$(sed 's/  # .*//; s/[][\\.*^$+?(){}|"]/./g' <<<"$name")"
  done < <("${times[@]}" --suspects)
  if [[ -n $names ]]; then
    printf 'These took long beside others, and are timed alone: %s\n' "$names"
    ctest --test-dir build/asan --resource-spec-file "$ROOT/build/asan/labs.json" \
      --tests-regex "^($names)( |\$)" --output-junit "$ROOT/build/asan/alone.xml"
    alone=(--alone build/asan/alone.xml)
  fi
  "${times[@]}" --complete "${alone[@]}" >"$SLOWEST" || { sed '0,/^$/d' "$SLOWEST"; return 1; }
}

# Only the threaded subset is built a second time.
compile_tsan() {
  configure tsan
  compile tsan tsan_tests
}

test_tsan() {
  compile_tsan
  run_ctest tsan '^tsan$'
}

# Prints the tables, and ctest's own summary last.
finish_stages() {
  stage_table
  [[ ! -f $SLOWEST ]] || { printf '\n'; sed '/^$/,$d' "$SLOWEST"; }
  if [[ -f $CTEST_LOG ]]; then
    printf '\n'
    sed -n '/tests passed, .* tests failed out of/,$p' "$CTEST_LOG"
  fi
  exit "$STAGES_FAILED"
}

dev_ci_full() {
  no_words ci-full "$@"
  test_stages
  stage 'tidy --all' dev_tidy --all
  stage 'signals tsan' signals_tsan
  stage 'session kills' session_kills
  stage planted dev_planted
  stage 'short studies' short_studies
  stage fuzz dev_fuzz
  stage coverage dev_coverage
  stage debian13 dev_debian13
  stage_of_12 packages dev_deb 12 --test --twice
  stage_of_12 'packages of 13' dev_deb 13 --test --twice
  finish_stages
}

# The whole program under TSan, interrupted 210 times; too long a build for each CI run.
signals_tsan() {
  configure tsan
  compile tsan radosload
  RADOSLOAD_PROGRAM=$ROOT/build/tsan/src/radosload build/asan/tests/cli --gtest_filter='*SignalsCli*'
}

# Two hundred sessions of which a member is killed at some moment: an hour and a half.
session_kills() {
  test_labs up build/asan
  RADOSLOAD_SESSION_KILLS=200 build/asan/tests/cluster --gtest_filter='*RandomKills.*'
}

# The shipped studies on labs of their own, to a verdict each: some ten minutes.
short_studies() {
  (cd tests/lab && RADOSLOAD_BINARY_DIR=$ROOT/build/asan "$PYTHON" -B -m unittest -v short_studies)
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
