#include "engine/real_loop.h"

#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace radosload::engine {

namespace {

// Tells the processor that this thread spins.
void relax() noexcept {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

}  // namespace

void RealLoop::at(Time due, Task task) {
  {
    const std::lock_guard lock(m_mutex);
    m_tasks.push(due, std::move(task));
    m_called.store(true, std::memory_order_relaxed);
  }
  m_wake.notify_one();
}

void RealLoop::stop() {
  {
    const std::lock_guard lock(m_mutex);
    m_stopped = true;
    m_called.store(true, std::memory_order_relaxed);
  }
  m_wake.notify_one();
}

void RealLoop::wait_for(Time due, std::unique_lock<std::mutex>& lock) {
  const Time wanted = m_waking == Waking::punctual ? due - m_lead.ahead() : due;
  if (wanted <= now()) return spin_until(due, lock);
  const bool slept = m_wake.wait_until(lock, m_epoch + wanted) == std::cv_status::timeout;
  if (slept) m_lead.learn(now() - wanted);
}

void RealLoop::spin_until(Time due, std::unique_lock<std::mutex>& lock) {
  const SpinRight right;
  if (!right.granted()) {
    m_wake.wait_until(lock, m_epoch + due);
    return;
  }
  m_called.store(false, std::memory_order_relaxed);
  lock.unlock();
  while (now() < due && !m_called.load(std::memory_order_relaxed)) relax();
  lock.lock();
}

void RealLoop::run() {
  const NoTimerSlack precise;
  std::unique_lock lock(m_mutex);
  while (!m_stopped) {
    if (m_tasks.empty()) {
      m_wake.wait(lock);
      continue;
    }
    if (const Time due = m_tasks.next_due(); due > now()) {
      wait_for(due, lock);
      continue;
    }
    const Task task = m_tasks.pop();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace radosload::engine
