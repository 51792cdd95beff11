// How much CPU it takes to read what OSDs dump of their counters: a watched run reads a dump of
// each OSD every five seconds. Prints a line of JSON.
//
// usage: parse_counters FILE [DUMPS]     FILE is a `perf dump`
// (tests/fixtures/*/osd0-perf-dump.json)

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>

#include "observe/osd_counters.h"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::ifstream file(argv[1]);
  const std::string dump{std::istreambuf_iterator<char>(file), {}};
  const long dumps = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 1000;
  const std::clock_t start = std::clock();
  std::size_t counters = 0;
  for (long i = 0; i < dumps; ++i) {
    const auto parsed = radosload::observe::parse_counters(dump);
    if (!parsed) return 1;
    counters = parsed->times.size() + parsed->counts.size() + parsed->levels.size();
  }
  const double cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("{\"dumps\": %ld, \"bytes\": %zu, \"counters\": %zu, \"cpu_s\": %.3f}\n", dumps,
              dump.size(), counters, cpu);
  return 0;
}
