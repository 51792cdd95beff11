// What a client feels of an OSD's work: how long small reads take that are sent one after the
// other, before the work and meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "radosload/units.h"

namespace radosload::timers {

struct ProbeTimes {
  std::uint64_t reads = 0;   // that were answered
  std::uint64_t failed = 0;  // and not, or with an error
  std::optional<Time> mean = {};
  std::optional<Time> median = {};
  std::optional<Time> p99 = {};  // nothing with fewer reads than it takes
  std::optional<Time> longest = {};
  bool operator==(const ProbeTimes&) const = default;
};

ProbeTimes probe_times(std::vector<Time> answered, std::uint64_t failed);

// Reads from its beginning to its end.
class Probe {
 public:
  Probe() = default;
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;
  Probe(Probe&&) = delete;
  Probe& operator=(Probe&&) = delete;
  virtual ~Probe() = default;

  // Those since the beginning, or since the last call; with the one that is under way, for which it
  // waits: that may be the longest.
  virtual ProbeTimes take() = 0;
};

}  // namespace radosload::timers
