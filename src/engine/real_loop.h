// A Loop in real time: the monotonic clock and one thread (the one that calls run()), which sleeps
// until the next task is due. The run has one, and so has each lane of an open loop.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "radosload/loop.h"

#include "base/tick_clock.h"
#include "engine/task_queue.h"
#include "engine/waking.h"

namespace radosload::engine {

class RealLoop final : public Loop {
 public:
  using Clock = std::chrono::steady_clock;
  // Loops with the same epoch show the same time. A punctual loop uses processor time to be on
  // time: see waking.h.
  explicit RealLoop(Clock::time_point epoch = Clock::now(), Waking waking = Waking::plain)
      : m_epoch(epoch), m_waking(waking) {}

  // Not Clock::now(): a kernel call twice per operation costs measurable time.
  Time now() const noexcept override { return TickClock::now() - m_epoch.time_since_epoch(); }
  void at(Time due, Task task) override;
  void post(Task task) override { at(Time::min(), std::move(task)); }
  void run() override;
  // Tasks that have not run by then never do.
  void stop() override;

 private:
  void wait_for(Time due, std::unique_lock<std::mutex>& lock);
  void spin_until(Time due, std::unique_lock<std::mutex>& lock);

  Clock::time_point m_epoch;
  Waking m_waking;
  WakeLead m_lead;  // the running thread's
  // A task was given to a loop that is spinning.
  std::atomic<bool> m_called{false};
  std::mutex m_mutex;
  std::condition_variable m_wake;
  TaskQueue m_tasks;
  bool m_stopped = false;
};

}  // namespace radosload::engine
