// What one member of a session did, in the joint record of the session. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "radosload/units.h"

namespace radosload::record {

// Its figures are those of the seconds that the joint record counts, so that the members'
// operations add up to those of the record.
struct SessionMember {
  std::uint32_t number = 0;  // from 1 on
  std::string who = {};      // "pid 4711 on host a"
  std::string run_id = {};   // of its own record; empty: unknown
  Time from{0};              // when it began to take part, from the start of the measured phase
  Time until{0};             // when it stopped; as `from` when it recorded nothing
  std::uint64_t ops = 0;
  std::uint64_t lost = 0;  // without an answer
  double iops = 0;
  std::optional<Time> p50 = {};  // of response times; empty: too few operations, or among lost ones
  std::optional<Time> p99 = {};
  std::optional<Time> start_delay = {};  // after the agreed start; empty: it did not begin
  std::optional<Time> clock_bound = {};  // the largest error of that
  std::string missing = {};              // why it did not finish; empty: it did
  bool stands_out = false;               // its p50 is far above that of the others
  bool operator==(const SessionMember&) const = default;
};

}  // namespace radosload::record
