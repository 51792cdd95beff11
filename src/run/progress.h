// What a run tells whoever watches it: the seam between the run and a terminal. Everything is
// called on the run's own thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "record/run_record.h"

namespace radosload::run {

struct Progress {
  std::string phase;  // "prefill", "warm-up", "measure", "drain", "clean up"
  double done = -1;   // share of the phase that is over; below 0: not known
  Time elapsed{0};
  Time total{0};  // 0: the phase has no end in time
  std::uint64_t in_flight = 0;
  std::uint64_t failed = 0;  // so far
  std::uint64_t late = 0;
  std::vector<std::string> stuck;
  record::TimelineRow last;  // the last second
};

class Audience {
 public:
  Audience() = default;
  Audience(const Audience&) = delete;
  Audience& operator=(const Audience&) = delete;
  Audience(Audience&&) = delete;
  Audience& operator=(Audience&&) = delete;
  virtual ~Audience() = default;

  // About once a second.
  virtual void progress(const Progress& progress) = 0;
  // Something worth a line of its own, in whole words: a warning, or what is being waited for.
  virtual void note(const std::string& text) = 0;
};

}  // namespace radosload::run
