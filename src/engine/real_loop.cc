#include "engine/real_loop.h"

#include <utility>

namespace radosload::engine {

void RealLoop::at(Time due, Task task) {
  {
    const std::lock_guard lock(m_mutex);
    m_tasks.push(due, std::move(task));
  }
  m_wake.notify_one();
}

void RealLoop::stop() {
  {
    const std::lock_guard lock(m_mutex);
    m_stopped = true;
  }
  m_wake.notify_one();
}

void RealLoop::run() {
  std::unique_lock lock(m_mutex);
  while (!m_stopped) {
    if (m_tasks.empty()) {
      m_wake.wait(lock);
      continue;
    }
    if (const Time due = m_tasks.next_due(); due > now()) {
      m_wake.wait_until(lock, m_epoch + due);
      continue;
    }
    const Task task = m_tasks.pop();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace radosload::engine
