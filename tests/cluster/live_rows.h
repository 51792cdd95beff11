// What a run prints about each second that it has measured: by these rows a test knows how far the
// run is.
#pragma once

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "support/process.h"

namespace radosload::test {

struct LiveRow {
  int second = 0;
  int in_flight = 0;
  std::uint64_t started = 0;
  std::uint64_t finished = 0;
};

// "    2      16       845       829 ...", and nothing else that the program prints.
inline std::optional<LiveRow> live_row(const std::string& line) {
  LiveRow row;
  std::istringstream fields(line);
  fields >> row.second >> row.in_flight >> row.started >> row.finished;
  return fields ? std::optional(row) : std::nullopt;
}

inline std::optional<LiveRow> last_live_row(const std::string& output) {
  std::optional<LiveRow> last;
  std::istringstream lines(output.substr(0, output.rfind('\n') + 1));
  for (std::string line; std::getline(lines, line);) {
    if (const auto row = live_row(line)) last = row;
  }
  return last;
}

inline int seconds_measured(Process& process) {
  const auto row = last_live_row(process.output());
  return row ? row->second : 0;
}

// Waits until the run has measured so many seconds.
inline testing::AssertionResult await_second(Process& process, int second,
                                             std::chrono::milliseconds limit = patience) {
  return process.wait_for(
      "second " + std::to_string(second) + " of the run",
      [&] { return seconds_measured(process) >= second; }, limit);
}

// Waits until it has measured so many more: each is a second in which it also watches the cluster.
inline testing::AssertionResult await_more_seconds(Process& process, int more) {
  return await_second(process, seconds_measured(process) + more);
}

// Waits until operations of the run are finished that were not before.
inline testing::AssertionResult await_more_operations(Process& process, std::uint64_t more) {
  const auto finished = [&] {
    const auto row = last_live_row(process.output());
    return row ? row->finished : 0;
  };
  const std::uint64_t enough = finished() + more;
  return process.wait_for(std::to_string(more) + " more operations",
                          [&] { return finished() >= enough; });
}

}  // namespace radosload::test
