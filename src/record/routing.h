// What shows where the operations of a run went: those seen in flight by the client itself, and
// what the OSDs' own counters say of the same time. Pure.
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
  // By how much its counters grew between just before the first operation of the run, warm-up
  // included, and just after the last answer.
  std::optional<ServedCounters> served;
  bool operator==(const OsdRoute&) const = default;
};

// Operations seen on their way to another OSD than they were meant for.
struct Stray {
  std::int32_t meant = no_osd;  // no_osd: for none that the run is pinned to
  std::int32_t sent = no_osd;
  std::uint64_t count = 0;
  bool operator==(const Stray&) const = default;
};

struct Routing {
  std::uint64_t samples = 0;   // how often it was looked
  std::uint64_t remapped = 0;  // seen elsewhere since their PG has moved: no strays
  std::vector<OsdRoute> osds;  // ascending
  std::vector<Stray> strays;
  // Why nothing was sampled, or not every counter read; empty when it was, or nobody asked.
  std::string unsampled;
  std::string uncounted;
  bool operator==(const Routing&) const = default;
};

std::uint64_t sampled(const Routing& routing);
std::uint64_t strayed(const Routing& routing);
// Of what the OSD led meanwhile, how much was ours: 0 to 1. Nothing when its counters are not
// known, or contradict ours.
std::optional<double> share_ours(const OsdRoute& route);

}  // namespace radosload::record
