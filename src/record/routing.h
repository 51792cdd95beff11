// Evidence of where the operations of a run went: the operations that the client sampled in flight,
// and the OSDs' own counters over the same time. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/op.h"
#include "radosload/served_counters.h"

namespace radosload::record {

struct OsdRoute {
  std::int32_t osd = no_osd;
  std::uint64_t sent = 0;      // to it, in warm-up and measured phase
  std::uint64_t answered = 0;  // of these, without an error
  std::uint64_t sampled = 0;   // seen in flight, meant for it
  std::uint64_t there = 0;     // of these, on their way to it
  // The growth of its counters from just before the first operation of the run, warm-up included,
  // to just after the last answer.
  std::optional<ServedCounters> served;
  bool operator==(const OsdRoute&) const = default;
};

// Operations that were sent to another OSD than expected.
struct Stray {
  std::int32_t meant = no_osd;  // no_osd: an OSD that the run is not pinned to
  std::int32_t sent = no_osd;
  std::uint64_t count = 0;
  bool operator==(const Stray&) const = default;
};

struct Routing {
  std::uint64_t samples = 0;   // how often it was looked
  std::uint64_t remapped = 0;  // seen elsewhere since their PG has moved: no strays
  std::vector<OsdRoute> osds;  // ascending
  std::vector<Stray> strays;
  // Why nothing was sampled, or not every counter was read; empty when all was, or none was
  // requested.
  std::string unsampled;
  std::string uncounted;
  bool operator==(const Routing&) const = default;
};

std::uint64_t sampled(const Routing& routing);
std::uint64_t strayed(const Routing& routing);
// The run's share of the operations that the OSD led meanwhile: 0 to 1. Empty when its counters are
// unknown or contradict the run's counts.
std::optional<double> share_ours(const OsdRoute& route);

}  // namespace radosload::record
