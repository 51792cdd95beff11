// Watches backfill and recovery without changing anything: the rate that `ceph status` shows for an
// instant, the one that is kept up, and when it will be done. What is shown is often twice what is
// kept up, so the estimate comes from the whole time watched.
#pragma once

#include <vector>

#include "radosload/result.h"

#include "observe/osd_timing.h"
#include "timers/row.h"
#include "timers/world.h"

namespace radosload::timers {

// Pure.
class BackfillWatch {
 public:
  void see(const observe::RecoveryLeft& left, Time since);
  bool done() const { return !m_samples.empty() && m_samples.back().left.copies() == 0; }
  // With what moving `convert` bytes more would take at these rates.
  BackfillTimes times(Bytes convert) const;

 private:
  struct Sample {
    Time since{0};
    observe::RecoveryLeft left = {};
  };
  double rate_between(std::size_t first, std::size_t last) const;
  std::optional<Rates> quarters() const;

  std::vector<Sample> m_samples;
};

struct BackfillWish {
  Time limit = std::chrono::minutes(10);
  std::vector<std::int32_t> convert = {};
  Bytes convert_bytes = {};
};
Row watch_backfill(const World& world, const BackfillWish& wish);

}  // namespace radosload::timers
