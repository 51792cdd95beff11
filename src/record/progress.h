// What a run reports to its listener: the interface between the run and a terminal. All calls come
// from the run's own thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "record/run_record.h"

namespace radosload::record {

struct Progress {
  std::string phase = {};  // "prefill", "warm-up", "measure", "drain", "clean up"
  double done = -1;        // share of the phase that is over, 0 to 1; below 0: not known
  Time elapsed{0};         // of the phase
  Time total{0};           // of the phase; 0: it has no end in time
  std::uint64_t in_flight = 0;
  std::uint64_t failed = 0;             // so far
  std::uint64_t late = 0;               // so far
  std::vector<std::string> stuck = {};  // "osd.3: 12 ops for 14 s, PG 3.1f inactive"
  TimelineRow last = {};                // the last second
  Histogram latency = {};               // response times of the last second
  std::string session = {};             // what all members of a session do; empty: nothing to say
  std::string step = {};  // of a series: "step 3 of 12: qd=16"; empty: a run by itself
  Time left{0};           // of the whole series; 0: not known
};

class ProgressListener {
 public:
  ProgressListener() = default;
  ProgressListener(const ProgressListener&) = delete;
  ProgressListener& operator=(const ProgressListener&) = delete;
  ProgressListener(ProgressListener&&) = delete;
  ProgressListener& operator=(ProgressListener&&) = delete;
  virtual ~ProgressListener() = default;

  // About once a second.
  virtual void progress(const Progress& progress) = 0;
  // Another step of a series begins; `left` as in Progress.
  virtual void step(const std::string& name, Time left) {
    static_cast<void>(name);
    static_cast<void>(left);
  }
  // A message of its own, in whole sentences: a warning, or what the run waits for.
  virtual void note(const std::string& text) = 0;
};

}  // namespace radosload::record
