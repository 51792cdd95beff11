#include "base/idle_threads.h"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <latch>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "base/interrupts.h"

namespace radosload::base {

namespace {

// Threads that are started meanwhile do not take the signals that end a run: an idle thread may be
// older than what handles them (base/interrupts.h).
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t ending{};
    ::sigemptyset(&ending);
    for (const int signal : ending_signals) ::sigaddset(&ending, signal);
    ::pthread_sigmask(SIG_BLOCK, &ending, &m_before);
  }
  ~WithoutSignals() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;
  WithoutSignals(WithoutSignals&&) = delete;
  WithoutSignals& operator=(WithoutSignals&&) = delete;

 private:
  sigset_t m_before{};
};

class IdleThreads {
 public:
  void run(std::function<void()> work) {
    {
      const std::lock_guard lock(m_mutex);
      if (m_idle > m_work.size()) {
        m_work.push_back(std::move(work));
        m_wake.notify_one();
        return;
      }
    }
    const WithoutSignals without;
    std::thread([this, work = std::move(work)]() mutable { serve(std::move(work)); }).detach();
  }

 private:
  // Longer than the watches' periods.
  static constexpr std::chrono::seconds patience{10};

  void serve(std::function<void()> work) {
    do {
      work();
      work = nullptr;  // what it captured goes now, not with the next work
      work = next();
    } while (work);
  }

  // Empty: none came in time.
  std::function<void()> next() {
    std::unique_lock lock(m_mutex);
    ++m_idle;
    m_wake.wait_for(lock, patience, [this] { return !m_work.empty(); });
    --m_idle;
    if (m_work.empty()) return {};
    std::function<void()> work = std::move(m_work.front());
    m_work.pop_front();
    return work;
  }

  std::mutex m_mutex;
  std::condition_variable m_wake;
  // Guarded by the mutex: the threads that wait, and what they will do, never more than there are
  // of them.
  std::size_t m_idle = 0;
  std::deque<std::function<void()>> m_work;
};

// Never destroyed, because its threads may still wait when the process ends.
IdleThreads& idle_threads() {
  static auto& only = *new IdleThreads;
  return only;
}

}  // namespace

void run_apart(std::function<void()> work) {
  idle_threads().run(std::move(work));
}

void run_together(std::size_t times, const std::function<void()>& work) {
  if (times == 0) return;
  // Shared, because the last thread may still be inside count_down() when wait() returns.
  const auto ended = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(times - 1));
  for (std::size_t i = 1; i < times; ++i) {
    run_apart([&work, ended] {
      work();
      ended->count_down();
    });
  }
  work();
  ended->wait();
}

}  // namespace radosload::base
