# shellcheck shell=bash
# dev_build and dev_bench: thin over CMake's presets.

dev_build() {
  local preset=${1:-dev}
  [[ $# -le 1 ]] || usage_error "build takes one preset"
  case $preset in
    dev | release | asan | tsan | coverage) ;;
    *) usage_error "there is no preset '$preset'; there are dev, release, asan, tsan, coverage" ;;
  esac
  configure "$preset"
  compile "$preset"
  say "built: build/$preset/src/radosload"
}

# Paths are hashed relative to the tree, so that clones of it share the compiler's cache.
export CCACHE_BASEDIR=$ROOT CCACHE_NOHASHDIR=1

# A CMake configured by other files than today's says so itself at the next build; from here it
# is only needed once, and again when the presets change.
configure() {
  local made=build/$1/build.ninja
  [[ -f $made && $made -nt CMakePresets.json ]] || cmake --preset "$1"
}

# compile PRESET [TARGET]. Goes on after an error: one round shows all of them.
compile() {
  cmake --build "build/$1" --parallel "$(jobs_at_once)" ${2:+--target "$2"} -- -k 0
}

dev_lab() {
  exec tools/lab "$@"
}

dev_bench() {
  no_words bench "$@"
  say "There are no benchmarks yet. The comparison with rados bench and fio comes with the engine."
}
