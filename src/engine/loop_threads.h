// Real loops with one thread each, for the lanes and for a threaded simulation.
#pragma once

#include <cstddef>
#include <deque>
#include <thread>
#include <vector>

#include "engine/real_loop.h"

namespace radosload::engine {

class LoopThreads {
 public:
  LoopThreads(std::size_t count, RealLoop::Clock::time_point epoch, Waking waking = Waking::plain);
  ~LoopThreads() { stop_and_join(); }
  LoopThreads(const LoopThreads&) = delete;
  LoopThreads& operator=(const LoopThreads&) = delete;
  LoopThreads(LoopThreads&&) = delete;
  LoopThreads& operator=(LoopThreads&&) = delete;

  std::vector<Loop*> loops();
  // Tasks that have not started by then never run. Call it before the objects that tasks use are
  // destroyed.
  void stop_and_join();

 private:
  std::deque<RealLoop> m_loops;
  std::vector<std::thread> m_threads;
};

}  // namespace radosload::engine
