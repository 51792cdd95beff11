#include "watch/osd_dumps.h"

#include "base/log.h"
#include "observe/osd_counters.h"
#include "observe/osd_latencies.h"

namespace radosload::watch {

bool OsdDumps::provides_latencies(std::int32_t osd) {
  const std::lock_guard lock(m_mutex);
  return !m_silent.contains(osd);
}

void OsdDumps::has_none(std::int32_t osd, const Error& error) {
  base::log_info("osd.{} has no histograms of latencies: {}", osd, one_line(error));
  const std::lock_guard lock(m_mutex);
  m_silent.insert(osd);
}

Result<OsdDump> OsdDumps::fetch(std::int32_t osd) {
  OsdDump dump;
  RADOSLOAD_ASSIGN(dump.counters, observe::fetch_counters(*m_commands, osd));
  if (!provides_latencies(osd)) return dump;
  if (auto latencies = observe::fetch_latencies(*m_commands, osd)) {
    dump.latencies = *std::move(latencies);
  } else {
    has_none(osd, latencies.error());
  }
  return dump;
}

OsdCounters OsdDumps::read(std::int32_t osd, const OsdDump& dump) {
  OsdCounters counters = dump.counters;
  if (dump.latencies.empty()) return counters;
  if (auto latencies = observe::parse_latencies(dump.latencies)) {
    counters.latencies = *std::move(latencies);
  } else {
    has_none(osd, latencies.error());
  }
  return counters;
}

}  // namespace radosload::watch
