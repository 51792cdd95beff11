// One operation in a trace, byte for byte as it is in the file: 48 bytes, little endian, with the
// columns that `trace_header` names. Times count from the start of the measured phase; an operation
// that the warm-up sent (open loop: that was due then) has a negative intended_ns.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "radosload/target.h"

namespace radosload::trace {

// Uninitialised: a ring of a million rows must not be touched before its use.
struct TraceRow {
  std::int64_t intended_ns;  // when it was due; in a closed loop when it was sent
  std::int64_t submit_ns;
  std::int64_t complete_ns;
  std::uint64_t where;  // workload::Layout::where()
  std::uint32_t bytes;  // moved; 0 when it failed
  std::int32_t osd;     // no_osd: not known
  std::uint32_t pg;     // no_pg: not known
  std::int16_t rc;      // 0, or a failure as in Outcome, or one of those without an outcome
  std::uint8_t op;      // OpKind
  std::uint8_t client;  // the lane; 255 stands for all from there on
  bool operator==(const TraceRow&) const = default;
};
static_assert(sizeof(TraceRow) == 48 && std::is_trivial_v<TraceRow>);
static_assert(std::endian::native == std::endian::little);

inline TraceRow trace_row(const Slot& slot, Time measure_start, std::uint64_t where) {
  constexpr std::int32_t least = std::numeric_limits<std::int16_t>::min();
  constexpr std::uint32_t most = std::numeric_limits<std::uint8_t>::max();
  const std::int64_t intended = (slot.intended - measure_start).count();
  // A warm-up's last operation may be stamped after the measured phase has begun.
  const bool measured = slot.phase == Phase::measure;
  return {.intended_ns = measured ? intended : std::min<std::int64_t>(intended, -1),
          .submit_ns = (slot.submitted - measure_start).count(),
          .complete_ns = (slot.completed - measure_start).count(),
          .where = where,
          .bytes = slot.outcome.bytes,
          .osd = slot.op.osd,
          .pg = slot.op.pg,
          .rc = static_cast<std::int16_t>(slot.outcome.ok() ? 0 : std::max(slot.outcome.rc, least)),
          .op = static_cast<std::uint8_t>(slot.op.kind),
          .client = static_cast<std::uint8_t>(std::min(slot.lane, most))};
}

// is_unanswered(): the operation was given up without an answer at complete_ns. is_unsent(): it was
// due and never sent; submit_ns and complete_ns are the end of the measured phase.
inline bool is_unanswered(const TraceRow& row) {
  return row.rc == rc_unanswered;
}
inline bool is_unsent(const TraceRow& row) {
  return row.rc == rc_unissued;
}

// Whether its latency belongs to the measured phase; other rows count for throughput only.
inline bool is_measured(const TraceRow& row) {
  return row.intended_ns >= 0;
}

}  // namespace radosload::trace
