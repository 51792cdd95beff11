// Reads all that OSDs count: counters, and histograms of latencies from those OSDs that tell them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "radosload/admin_commands.h"
#include "radosload/osd_counters.h"
#include "radosload/result.h"

namespace radosload::watch {

class OsdDumps {
 public:
  explicit OsdDumps(std::shared_ptr<AdminCommands> commands) : m_commands(std::move(commands)) {}

  // On any thread. Histograms belong to each reading, because a run may end at any moment: its last
  // reading within the measured phase is known only then. Without histograms the counters are
  // complete all the same; an OSD that has once not told them is not asked for them again.
  Result<OsdCounters> fetch(std::int32_t osd);

 private:
  bool tells_latencies(std::int32_t osd);

  std::shared_ptr<AdminCommands> m_commands;
  std::mutex m_mutex;
  std::set<std::int32_t> m_silent;  // guarded by it: OSDs without histograms
};

}  // namespace radosload::watch
