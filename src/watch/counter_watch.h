// Counts the operations that each OSD served during a run, by the OSDs' own counters. Several OSDs
// are asked at the same time, each with a deadline, so an OSD that does not answer delays the run
// by seconds at most.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"

#include "observe/osd_served.h"
#include "record/routing.h"

namespace radosload::watch {

class CounterWatch {
 public:
  // If there are more OSDs than this, only those with most of the run's objects are asked, unless
  // the run is pinned to OSDs.
  static constexpr std::size_t most_osds = 256;

  CounterWatch(std::shared_ptr<AdminCommands> commands, std::vector<std::int32_t> osds);

  // Call before the first operation.
  void begin();
  // Call after the last answer. Adds the counts, and why any of them are unknown.
  void finish(record::Routing& routing);

 private:
  using Answers = std::map<std::int32_t, Result<ServedCounters>>;
  Answers ask_all() const;

  std::shared_ptr<AdminCommands> m_commands;
  std::vector<std::int32_t> m_osds;
  Answers m_before;
};

}  // namespace radosload::watch
