// Single operations as an OSD remembers them: those in flight (`dump_ops_in_flight`), and the
// longest of the last ten minutes (`dump_historic_ops`). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::observe {

struct OpEvent {
  std::string name;  // "queued_for_pg"
  Time at{0};        // by the OSD's wall clock, since 1970
};

// "write 8192~4096"
struct OpExtent {
  std::string verb;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

struct OsdOp {
  // The part of a replica, or of another shard, in a client's operation.
  bool part = false;
  std::uint64_t client = 0;  // instance ID
  std::uint64_t tid = 0;
  // Not of parts.
  std::int64_t pool = -1;
  std::string nspace;
  std::string object;
  std::vector<OpExtent> extents;
  Time initiated{0};            // when the OSD received it, by its wall clock
  std::vector<OpEvent> events;  // by time, which releases do not always print in order

  bool ended() const;
  // The first event of that name.
  std::optional<Time> at(std::string_view event) const;
  // When the last event was; when it was received, where there is none.
  Time last() const;
};

struct OsdOps {
  // Those of clients, and parts of them, with an object; all others are left out.
  std::vector<OsdOp> ops;
  // What the OSD's wall clock showed when it answered. Empty without any operation.
  std::optional<Time> now;
};

// Hostile or broken OSDs must not take our memory: longer answers are refused, and of operations
// and events beyond these numbers nothing is read.
inline constexpr std::size_t longest_dump = std::size_t{16} << 20U;
inline constexpr std::size_t most_ops_read = 2000;
inline constexpr std::size_t most_events_read = 200;

// Either dump.
Result<OsdOps> parse_osd_ops(const std::string& json);

}  // namespace radosload::observe
