#include "probe/rounds.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

namespace radosload::probe {

namespace {

class Rounds {
 public:
  Rounds(Prober& prober, Clock& clock, const std::vector<Target>& targets, const RoundWish& wish)
      : m_prober(prober),
        m_clock(clock),
        m_targets(targets),
        m_wish(wish),
        m_done(targets.size()) {}

  void work() {
    for (std::size_t i = m_next++; i < m_targets.size(); i = m_next++) {
      const Time due = due_of(i);
      if (!m_clock.sleep_until(due)) return;
      m_done[i] = visit(m_targets[i], due);
    }
  }

  std::vector<Visit> take() {
    std::vector<Visit> visits;
    for (auto& visit : m_done) {
      if (visit) visits.push_back(*std::move(visit));
    }
    return visits;
  }

 private:
  Time due_of(std::size_t i) const {
    return m_wish.begin + m_wish.spread * static_cast<std::int64_t>(i) /
                              static_cast<std::int64_t>(m_targets.size());
  }

  // Reads come first: what was written a moment ago may still be in the memory of the OSD.
  Visit visit(const Target& target, Time due) {
    Visit visit{.target = target};
    Time late = std::max(Time(0), m_clock.now() - due);
    for (const Kind kind : kinds) {
      std::vector<Time> times;
      const std::uint32_t samples = m_wish.samples.of(kind);
      for (std::uint32_t i = 0; i < samples && !visit.failed() && !m_clock.ended(); ++i) {
        const Answer answer = m_prober.probe(target, kind, m_wish.number * samples + i);
        if (answer.skipped) continue;
        Timing& timing = visit.of(kind);
        if (answer.rc < 0) {
          ++timing.failed;
          timing.rc = answer.rc;
        } else {
          ++timing.answered;
          times.push_back(answer.took);
          // The first one was due when the visit was; each other one when the one before ended.
          visit.responses[index_of(kind)].push_back(answer.took + std::exchange(late, Time(0)));
        }
      }
      visit.of(kind).typical = geometric_mean(times);
    }
    return visit;
  }

  Prober& m_prober;
  Clock& m_clock;
  const std::vector<Target>& m_targets;
  RoundWish m_wish;
  std::atomic<std::size_t> m_next{0};
  std::vector<std::optional<Visit>> m_done;
};

}  // namespace

std::vector<Visit> visit_all(Prober& prober, Clock& clock, const std::vector<Target>& targets,
                             const RoundWish& wish) {
  Rounds rounds(prober, clock, targets, wish);
  const auto wanted = std::min<std::size_t>(prober.at_once(), targets.size());
  if (wanted <= 1) {
    rounds.work();
    return rounds.take();
  }
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < wanted; ++i) threads.emplace_back([&rounds] { rounds.work(); });
  }
  return rounds.take();
}

}  // namespace radosload::probe
