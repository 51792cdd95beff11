// Commands that contact a cluster and print a result, for tests of a stdout that cannot be written.
// tests/cli/streams_cli_test.cc has those without a cluster, and checks that no command is missing.
#pragma once

#include <string>
#include <vector>

namespace radosload::test {

// Uses the pools of a lab; no command leaves changes.
inline std::vector<std::vector<std::string>> commands_of_a_cluster() {
  return {
      {"status"},
      {"status", "--json"},
      {"osds"},
      {"osds", "--json"},
      {"osds", "--match"},
      {"osds", "--match", "--json"},
      {"scratch", "list"},
      {"scratch", "list", "--json"},
      {"cleanup", "--pool", "ssd"},
      {"cleanup", "--pool", "ssd", "--json"},
      {"cleanup", "--flags"},
      {"cleanup", "--scratch"},
      {"watch", "--time", "1s", "--interval", "1s"},
      {"watch", "--time", "1s", "--interval", "1s", "--json"},
      {"time", "bench", "--osd", "0", "--bytes", "4M"},
      {"time", "bench", "--osd", "0", "--bytes", "4M", "--json"},
      {"time", "bench", "--osd", "0", "--bytes", "4M", "--format", "csv"},
      {"replicas", "--pool", "ssd", "--time", "1", "--warmup", "0", "--size", "4M"},
      {"replicas", "--pool", "ssd", "--time", "1", "--warmup", "0", "--size", "4M", "--json"},
      {"run", "--pool", "ssd", "--pattern", "randrw4k,size=4M", "--dry-run"},
      {"run", "--pool", "ssd", "--pattern", "randrw4k,size=4M", "--time", "1", "--warmup", "0"}};
}
// Prints a report only if it leads the session, like run; otherwise nothing.
inline constexpr const char* silent_command = "join";

}  // namespace radosload::test
