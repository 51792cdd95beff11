#include "watch/osd_dumps.h"

#include "base/log.h"
#include "observe/osd_counters.h"
#include "observe/osd_latencies.h"

namespace radosload::watch {

bool OsdDumps::tells_latencies(std::int32_t osd) {
  const std::lock_guard lock(m_mutex);
  return !m_silent.contains(osd);
}

Result<OsdCounters> OsdDumps::fetch(std::int32_t osd) {
  RADOSLOAD_ASSIGN(auto counters, observe::fetch_counters(*m_commands, osd));
  if (!tells_latencies(osd)) return counters;
  if (auto latencies = observe::fetch_latencies(*m_commands, osd)) {
    counters.latencies = *std::move(latencies);
  } else {
    base::log_info("osd.{} has no histograms of latencies: {}", osd, one_line(latencies.error()));
    const std::lock_guard lock(m_mutex);
    m_silent.insert(osd);
  }
  return counters;
}

}  // namespace radosload::watch
