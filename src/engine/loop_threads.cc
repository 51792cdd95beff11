#include "engine/loop_threads.h"

namespace radosload::engine {

LoopThreads::LoopThreads(std::size_t count, RealLoop::Clock::time_point epoch, Waking waking) {
  for (std::size_t i = 0; i < count; ++i) {
    RealLoop& loop = m_loops.emplace_back(epoch, waking);
    m_threads.emplace_back([&loop] { loop.run(); });
  }
}

std::vector<Loop*> LoopThreads::loops() {
  std::vector<Loop*> all;
  all.reserve(m_loops.size());
  for (RealLoop& loop : m_loops) all.push_back(&loop);
  return all;
}

void LoopThreads::stop_and_join() {
  for (RealLoop& loop : m_loops) loop.stop();
  for (std::thread& thread : m_threads) thread.join();
  m_threads.clear();
}

}  // namespace radosload::engine
