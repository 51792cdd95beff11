// Reads the counters of OSDs, and the latency histograms of those OSDs that provide them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "radosload/admin_commands.h"
#include "radosload/osd_counters.h"
#include "radosload/result.h"

namespace radosload::watch {

struct OsdDump {
  OsdCounters counters;
  std::string latencies;  // the answer with the histograms; empty: the OSD provides none
};

class OsdDumps {
 public:
  explicit OsdDumps(std::shared_ptr<AdminCommands> commands) : m_commands(std::move(commands)) {}

  // Any thread. Each reading includes the histograms, because a run may end at any moment, so it is
  // known only later which reading was the last of the measured phase. Without histograms the
  // counters are still complete; an OSD that did not provide them once is not asked for them again.
  Result<OsdDump> fetch(std::int32_t osd);
  // The counters with the histograms. Any thread. To read histograms takes most of what a dump
  // costs the client, so it is left to those who need them.
  OsdCounters read(std::int32_t osd, const OsdDump& dump);

 private:
  bool provides_latencies(std::int32_t osd);
  void has_none(std::int32_t osd, const Error& error);

  std::shared_ptr<AdminCommands> m_commands;
  std::mutex m_mutex;
  std::set<std::int32_t> m_silent;  // guarded by it: OSDs without histograms
};

}  // namespace radosload::watch
