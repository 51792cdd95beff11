// Real loops, each run by a thread of its own: what lanes and a threaded simulation stand on.
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
  // Tasks that have not begun by then never run. Call it before what the tasks refer to goes.
  void stop_and_join();

 private:
  std::deque<RealLoop> m_loops;
  std::vector<std::thread> m_threads;
};

}  // namespace radosload::engine
