# shellcheck shell=bash
# dev_build, dev_docs and dev_bench, which use CMake's presets.

dev_build() {
  local preset=${1:-dev}
  [[ $# -le 1 ]] || usage_error "build takes one preset"
  case $preset in
    dev | release | asan | tsan | coverage | fuzz) ;;
    *) usage_error "there is no preset '$preset'; there are dev, release, asan, tsan, fuzz, coverage" ;;
  esac
  configure "$preset"
  compile "$preset"
  say "built: build/$preset/src/radosload"
}

# The build itself configures again when CMake's files have changed, so this is needed only once, and
# again when the presets change.
configure() {
  local made=build/$1/build.ninja
  [[ -f $made && $made -nt CMakePresets.json ]] || cmake --preset "$1"
}

# compile PRESET [TARGET...]. Continues after an error, so that one build shows all errors.
compile() {
  local preset=$1
  shift
  cmake --build "build/$preset" --parallel "$(jobs_at_once)" ${1:+--target "$@"} -- -k 0
}

dev_lab() {
  exec tools/lab "$@"
}

dev_docs() {
  exec tools/docs/refresh "$@"
}

# build_program PRESET [MORE TARGETS...]: builds what is installed, without the tests.
build_program() {
  configure "$1"
  compile "$1" to_install "${@:2}"
}

BENCH_LAB=build/bench-lab
BENCH_HELP=

# Starts a lab for the benchmark; all words after the name are passed to the script.
dev_bench() {
  local which=${1:-}
  [[ $# -eq 0 ]] || shift
  asks_for_help "$@" && BENCH_HELP=yes
  case $which in
    rados-bench) bench_on homelab tools/bench/rados_bench.py build/release/src/radosload --pool hdd "$@" ;;
    client-cost)
      build_bench bare_librados
      bench_on mem tools/bench/client_cost.py build/release/src/radosload \
        build/release/tests/bare_librados "$@" ;;
    rbd)
      build_bench bare_librbd
      bench_on mem tools/bench/rbd_cost.py build/release/src/radosload \
        build/release/tests/bare_librbd "$@" ;;
    rbd-disk)
      bench_on homelab tools/bench/rbd_disk.py build/release/src/radosload "$@" ;;
    drive)
      build_bench
      "$PYTHON" -B tools/bench/drive_cost.py build/release/src/radosload "$@" ;;
    prefill) bench_on mem tools/bench/prefill.py build/release/src/radosload "$@" ;;
    prefill-disk)
      bench_on homelab tools/bench/prefill.py build/release/src/radosload --pool hdd --size 256 "$@" ;;
    mallocs)
      build_bench bare_librados count_mallocs
      bench_on mem tools/bench/mallocs.py build/release/src/radosload \
        build/release/tests/bare_librados build/release/tests/count_mallocs.so "$@" ;;
    trace) bench_on mem tools/bench/trace_cost.py build/release/src/radosload "$@" ;;
    verify) bench_on mem tools/bench/verify_cost.py build/release/src/radosload "$@" ;;
    sampler) bench_on mem tools/bench/sampler_cost.py build/release/src/radosload "$@" ;;
    watch) bench_on mem tools/bench/watch_cost.py build/release/src/radosload "$@" ;;
    session) bench_on mem tools/bench/session_cost.py build/release/src/radosload "$@" ;;
    members) bench_on mem tools/bench/session_members.py build/release/src/radosload "$@" ;;
    watch-bytes)
      build_bench parse_counters watched_bytes
      bench_on mem tools/bench/watched_bytes.py build/release/tests/parse_counters \
        build/release/tests/watched_bytes "$@" ;;
    memory) bench_on fast tools/bench/memory.py build/release/src/radosload "$@" ;;
    null)
      build_bench
      "$PYTHON" -B tools/bench/null_rate.py build/release/src/radosload "$@" ;;
    scale)
      build_bench scale
      "$PYTHON" -B tools/bench/scale.py build/release/tests/scale tests/fixtures/ceph-18.2.7 "$@" ;;
    merge)
      build_bench merge_members
      build/release/tests/merge_members "${1:-2000}" "${2:-60}" "${3:-100}" "${4:-100}" ;;
    days)
      build_bench days
      build/release/tests/days "${1:-48}" "${2:-20}"
      "$PYTHON" -B tools/bench/run_of_days.py build/release/src/radosload --hours "${1:-48}" \
        --osds "${2:-20}" ;;
    aa)
      build_bench
      "$PYTHON" -B tools/bench/aa_studies.py build/release/src/radosload "$@" ;;
    study)
      build_bench study_document
      "$PYTHON" -B tools/bench/study_document.py build/release/tests/study_document "$@" ;;
    probe)
      build_bench probe_scrape
      "$PYTHON" -B tools/bench/probe_scrape.py build/release/tests/probe_scrape "$@" ;;
    lateness)
      build_bench
      "$PYTHON" -B tools/bench/lateness.py build/release/src/radosload "$@" ;;
    soak) bench_on fast tools/bench/soak build/release/src/radosload --lab "$BENCH_LAB" "$@" ;;
    *) usage_error "bench takes one of:
  rados-bench  radosload beside it on a disk-bound pool
  client-cost  what the client costs, beside a bare loop, fio and rados bench
  rbd          the same on RBD images, beside a bare loop, fio and rbd bench
  rbd-disk     whether the means agree on an image bound by its disks
  drive        what the client costs on a drive, beside fio's io_uring; no lab
  prefill      writing and removing a run's objects, beside rados bench
  prefill-disk the same on hard disks, and whether any write gets old there
  mallocs      allocations per operation, beside a bare loop
  trace        what --trace costs, and how long a summary of 100 million rows takes
  verify       what checking reads costs, for each kind of --verify
  sampler      whether looking at operations in flight shows in the latencies
  watch        what an observer costs the OSDs and the client
  session      what it costs to be two processes at half the depth
  members      64 processes as one load: how far apart they begin, what their agreement costs
  merge        CPU and memory of the joint record of 2,000 members, 60 s on 100 OSDs
  days         memory and record of a run of 48 hours on 20 OSDs, in virtual time
  watch-bytes  CPU for reading 1,000 dumps; what mons and mgr are asked, with few PGs and many
  null         how many operations a second radosload itself carries out on one core
  memory       what memory a run takes, over time, with OSDs and with handles
  scale        what a pinned run reads and finds first, on 10 to 10,000 OSDs; no lab
  aa           how often a study of two equal arms says different, and finds 2 %; no lab
  study        how long it takes to save a study of 1,000 cells; no lab
  probe        what a probe of 10,000 OSDs costs beside its operations; no lab
  lateness     how late open loops send, and what being on time costs; no lab
  soak         mixed load while OSDs are killed, restarted and paused (--minutes 30)" ;;
  esac
}

asks_for_help() {
  local word
  for word; do
    [[ $word != --help && $word != -h ]] || return 0
  done
  return 1
}

# Builds what a benchmark measures, unless only the help of its script is requested.
build_bench() {
  [[ -n $BENCH_HELP ]] || build_program release "$@"
}

# bench_on PROFILE SCRIPT WORD...
bench_on() {
  local profile=$1
  shift
  build_bench
  if [[ -n $BENCH_HELP ]]; then
    "$PYTHON" -B "$@"
    return
  fi
  # A lab of another benchmark would distort this one, and would be taken down with it.
  ! tools/lab status --dir "$BENCH_LAB" >/dev/null 2>&1 ||
    die "there is a lab in $BENCH_LAB already: another benchmark is on, or one was killed and left it" \
      "(tools/lab down --dir $BENCH_LAB ends it)"
  trap 'lab_down "$BENCH_LAB" >/dev/null' EXIT
  lab_up "$profile" "$BENCH_LAB"
  CEPH_CONF=$BENCH_LAB/ceph.conf CEPH_ARGS='' "$PYTHON" -B "$@"
}

# For programs that are started without ctest; tests/RadosloadTest.cmake has the same values.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:strict_string_checks=1:handle_sigill=1:malloc_context_size=8:quarantine_size_mb=64}
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$ROOT/tests/sanitizers/lsan.supp:print_suppressions=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:suppressions=$ROOT/tests/sanitizers/ubsan.supp}
export TSAN_OPTIONS=${TSAN_OPTIONS:-second_deadlock_stack=1:suppressions=$ROOT/tests/sanitizers/tsan.supp}
