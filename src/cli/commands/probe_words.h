// The options of `radosload probe`, and where its history is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "probe/budget.h"
#include "probe/history.h"

namespace radosload::cli {

struct ProbeWords {
  std::string action;  // "show", or empty: probe
  ClusterOptions cluster;
  std::string target = "rados";
  std::string sim;
  std::string pool;
  std::string nspace = "radosload";
  std::string by = "osd";  // or "pool"
  bool by_pool() const { return by == "pool"; }
  std::string osds;
  Time interval = std::chrono::minutes(5);
  probe::Samples samples = {};
  std::uint64_t rounds = 0;
  bool force = false;
  std::string history;
  probe::Retention retention = {};
  std::string listen;
  std::string exec;
  std::uint64_t days = 2;  // show
  std::string format = "text";
};

// The folder that is named, or that of the pool below the user's state folder.
Result<std::filesystem::path> history_folder(const ProbeWords& words);

// `radosload probe show`
Result<Exit> show_history(const ProbeWords& words);
// The same at the end of a probe, with at most `most_rows` OSDs.
std::string history_shown(const std::filesystem::path& folder, const ProbeWords& words,
                          std::size_t most_rows);

}  // namespace radosload::cli
