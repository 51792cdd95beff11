#include "observe/compaction.h"

#include <string_view>

#include "radosload/units.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

// A compaction that writes less takes less than a second, too short to be noticed.
constexpr Bytes least_tables = mib(32);
// A memtable that is flushed writes to a table what the WAL has had before; a compaction writes
// tables anew.
constexpr std::uint64_t tables_over_wal = 2;

std::uint64_t value_of(const auto& counters, std::string_view name) {
  const auto found = counters.find(name);
  return found == counters.end() ? 0 : found->second;
}

}  // namespace

std::string compaction_signs(const OsdCounters& growth) {
  if (value_of(growth.levels, "compact_running") > 0) return "a compaction was in progress";
  for (const char* const name : {"compact", "compact_range", "compact_completed"}) {
    if (value_of(growth.counts, name) > 0) return "a compaction was ordered";
  }
  const Bytes tables{value_of(growth.counts, "sst_bytes")};
  const std::uint64_t wal = value_of(growth.counts, "wal_bytes");
  if (tables < least_tables || tables.count < tables_over_wal * wal) return {};
  return fmt::format("{} were written to tables, {} to the WAL", human_text(tables),
                     human_text(Bytes{wal}));
}

}  // namespace radosload::observe
