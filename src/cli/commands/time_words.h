// The options of `radosload time`, on a command line or in a cell of a study.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "cli/commands/command.h"
#include "cli/commands/time_cell.h"
#include "cli/commands/timing_file.h"
#include "timers/row.h"

namespace radosload::cli {

struct TimeWords {
  ClusterOptions cluster;
  std::string timer;
  std::string osds;
  std::uint32_t rounds = 1;
  std::uint64_t seed = 0;
  Time limit = std::chrono::minutes(10);
  bool deep = false;
  std::string restart;
  std::vector<std::string> offline_pools;
  std::string how;
  Bytes block = mib(4);
  Bytes bytes = {};
  std::string pool;
  bool dry_run = false;
  bool yes = false;
  TimingSaving saving;
  std::string format = "text";
  bool no_progress = false;
};

timers::Timer timer_of(const TimeWords& asked);

void add_time_words(CLI::App& command, TimeWords& asked);
Status check_time_words(const TimeWords& asked);

// Those of a cell, checked.
Result<TimeWords> words_of_cell(const TimedCell& cell);

}  // namespace radosload::cli
