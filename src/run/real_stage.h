// Threads for real time: a control loop on the calling thread, and a thread for each lane up to a
// limit.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/loop_threads.h"
#include "engine/real_loop.h"
#include "run/measure.h"

namespace radosload::run {

// For one pass: a stopped loop cannot be restarted.
class RealStage {
 public:
  // Punctual: for lanes that send at given times.
  RealStage(std::size_t lanes, engine::Waking waking)
      : m_lanes(lanes), m_threads(std::min(lanes, most_threads), m_epoch, waking) {}

  Stage stage() {
    const auto loops = m_threads.loops();
    std::vector<Loop*> lanes;
    for (std::size_t i = 0; i < m_lanes; ++i) lanes.push_back(loops[i % loops.size()]);
    return {.control = &m_control, .lanes = std::move(lanes), .quiesce = [this] {
              m_threads.stop_and_join();
            }};
  }

 private:
  // A run on thousands of OSDs has as many lanes.
  static constexpr std::size_t most_threads = 64;

  std::size_t m_lanes;
  engine::RealLoop::Clock::time_point m_epoch = engine::RealLoop::Clock::now();
  engine::RealLoop m_control{m_epoch};
  engine::LoopThreads m_threads;
};

// A pass in real time. If operations stay unanswered, its threads are left running with their
// stage.
inline Result<PassEnd> run_real_pass(Pass pass, Target& target, std::size_t lanes,
                                     base::Interrupts& interrupts,
                                     record::ProgressListener& listener) {
  const bool paced = pass.plan.arrival.law != Arrival::Law::closed;
  auto real =
      std::make_unique<RealStage>(lanes, paced ? engine::Waking::punctual : engine::Waking::plain);
  auto end = run_pass(std::move(pass), target, real->stage(), interrupts, listener);
  if (end && end->end.unfinished > 0) [[maybe_unused]]
    const auto* const left = real.release();
  return end;
}

}  // namespace radosload::run
