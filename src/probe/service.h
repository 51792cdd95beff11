// The probe itself: a round every interval, its line in the history, what has changed, and what is
// shown to Prometheus. Failed rounds are counted and noted, and the probe continues; rounds that
// are late are left out, and do not pile up.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "probe/change_finder.h"
#include "probe/facts.h"
#include "probe/prober.h"

namespace radosload::probe {

struct ProbeWish {
  Time interval = std::chrono::minutes(5);
  Samples samples = {};
  std::uint64_t rounds = 0;  // 0: without end
  bool force = false;        // also beyond the budget
};

// Where rounds and changes go. On the thread of the probe.
struct ProbeSink {
  std::function<void(const Round&, const Survey&)> on_round;
  std::function<void(const Change&, Time at)> on_change;  // `at`: of the round that shows it
};

struct ProbeEnd {
  std::uint64_t rounds = 0;  // that were begun
  std::uint64_t failed = 0;  // of them, those in which anything failed
  std::uint64_t changes = 0;
};

class Service {
 public:
  Service(Prober& prober, Clock& clock, ChangeFinder& finder, ProbeWish wish)
      : m_prober(prober), m_clock(clock), m_finder(finder), m_wish(wish) {}

  // Until the clock ends or the rounds are done. Fails when there is nothing to begin with, when
  // the budget does not allow it, or when the prober refuses to continue.
  Result<ProbeEnd> run(const ProbeSink& sink);

 private:
  void note_jump(Round& round);
  void deliver(const ProbeSink& sink, const Round& round, const Survey& survey);

  Prober& m_prober;
  Clock& m_clock;
  ChangeFinder& m_finder;
  ProbeWish m_wish;
  ProbeEnd m_end = {};
  std::optional<Time> m_wall_offset = {};  // wall clock minus monotonic clock, in the last round
};

}  // namespace radosload::probe
