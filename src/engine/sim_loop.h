// Loop in virtual time, on the calling thread alone: time stands still while a task runs and jumps
// to the next one. An hour of load passes in a second, the same way each time.
#pragma once

#include <algorithm>
#include <utility>

#include "radosload/loop.h"

#include "engine/task_queue.h"

namespace radosload::engine {

class SimLoop final : public Loop {
 public:
  Time now() const noexcept override { return m_now; }
  void at(Time due, Task task) override { m_tasks.push(std::max(due, m_now), std::move(task)); }
  void post(Task task) override { at(m_now, std::move(task)); }
  void stop() override { m_stopped = true; }
  void run() override {
    while (!m_stopped && !m_tasks.empty()) {
      m_now = std::max(m_now, m_tasks.next_due());
      m_tasks.pop()();
    }
  }

 private:
  TaskQueue m_tasks;
  Time m_now{0};
  bool m_stopped = false;
};

}  // namespace radosload::engine
