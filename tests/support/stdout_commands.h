// Commands that ask a cluster and print a result, for tests of a stdout that cannot be written.
// Those that need no cluster are in tests/cli/streams_cli_test.cc, which sees that no command is
// missing.
#pragma once

#include <string>
#include <vector>

namespace radosload::test {

// On the pools of a lab; none changes anything that stays.
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
// Prints a report where it comes to lead the session, as run does, and nothing otherwise.
inline constexpr const char* silent_command = "join";

}  // namespace radosload::test
