// What is probed: a cluster, or a simulation in tests and with --target sim.
#pragma once

#include <cstdint>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "probe/budget.h"
#include "probe/facts.h"

namespace radosload::probe {

// The clocks of a probe, real or simulated. Any thread.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  Clock(Clock&&) = delete;
  Clock& operator=(Clock&&) = delete;
  virtual ~Clock() = default;

  virtual Time now() const = 0;   // monotonic
  virtual Time wall() const = 0;  // since 1970; may jump
  // False: the probe was told to end.
  virtual bool sleep_until(Time due) = 0;
  virtual bool ended() const = 0;
};

// Who can be probed now.
struct Survey {
  std::vector<Target> targets = {};            // in the order of the OSDs
  std::vector<std::int32_t> without_pgs = {};  // chosen, and lead no PG of the pool
  PoolCost cost = {};
};

// One operation.
struct Answer {
  Time took{0};
  int rc = 0;            // 0 or more, or what failed
  bool skipped = false;  // nothing was sent, because there is nothing to read yet
};

class Prober {
 public:
  Prober() = default;
  Prober(const Prober&) = delete;
  Prober& operator=(const Prober&) = delete;
  Prober(Prober&&) = delete;
  Prober& operator=(Prober&&) = delete;
  virtual ~Prober() = default;

  // Before each round. An error with Exit::refused ends the probe; any other is a failed round.
  virtual Result<Survey> survey() = 0;
  // One operation on one of the OSD's objects, `turn` chooses which; waits for the answer. Any
  // thread, one for each OSD.
  virtual Answer probe(const Target& target, Kind kind, std::uint64_t turn) = 0;
  // How many OSDs may be probed at the same time; 1: on the calling thread.
  virtual unsigned at_once() const = 0;
};

}  // namespace radosload::probe
