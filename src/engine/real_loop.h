// Loop in real time: the monotonic clock, and one thread (whoever calls run()) that sleeps until
// the next task is due. Lanes of an open loop and the run itself each have one.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "radosload/loop.h"

#include "base/tick_clock.h"
#include "engine/task_queue.h"

namespace radosload::engine {

class RealLoop final : public Loop {
 public:
  using Clock = std::chrono::steady_clock;
  // Loops that share an epoch tell the same time.
  explicit RealLoop(Clock::time_point epoch = Clock::now()) : m_epoch(epoch) {}

  // Not Clock::now(): twice an operation, asking the kernel shows.
  Time now() const noexcept override { return TickClock::now() - m_epoch.time_since_epoch(); }
  void at(Time due, Task task) override;
  void post(Task task) override { at(Time::min(), std::move(task)); }
  void run() override;
  // Tasks that have not run by then never do.
  void stop() override;

 private:
  Clock::time_point m_epoch;
  std::mutex m_mutex;
  std::condition_variable m_wake;
  TaskQueue m_tasks;
  bool m_stopped = false;
};

}  // namespace radosload::engine
