// A Loop in virtual time, on the thread that created it: time stands still while a task runs and
// then jumps to the next task. An hour of load takes a second and is the same each time. Tasks from
// other threads (a signal) are taken between two tasks.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "radosload/loop.h"

#include "engine/task_queue.h"

namespace radosload::engine {

class SimLoop final : public Loop {
 public:
  Time now() const noexcept override { return Time(m_now.load(std::memory_order_relaxed)); }
  void at(Time due, Task task) override {
    if (std::this_thread::get_id() == m_owner) {
      m_tasks.push(std::max(due, now()), std::move(task));
      return;
    }
    const std::lock_guard lock(m_mutex);
    m_of_others.push(due, std::move(task));
    m_any_of_others.store(true, std::memory_order_release);
  }
  void post(Task task) override { at(Time::min(), std::move(task)); }
  void stop() override { m_stopped = true; }
  void run() override {
    while (!m_stopped) {
      take_in();
      if (m_tasks.empty()) return;
      m_now.store(std::max(now(), m_tasks.next_due()).count(), std::memory_order_relaxed);
      m_tasks.pop()();
    }
  }

 private:
  void take_in() {
    if (!m_any_of_others.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(m_mutex);
    while (!m_of_others.empty()) {
      const Time due = std::max(now(), m_of_others.next_due());
      m_tasks.push(due, m_of_others.pop());
    }
    m_any_of_others.store(false, std::memory_order_relaxed);
  }

  std::thread::id m_owner = std::this_thread::get_id();
  TaskQueue m_tasks;  // the owner's alone
  std::atomic<Time::rep> m_now{0};
  std::atomic<bool> m_stopped{false};
  std::mutex m_mutex;
  TaskQueue m_of_others;  // guarded by it
  std::atomic<bool> m_any_of_others{false};
};

}  // namespace radosload::engine
