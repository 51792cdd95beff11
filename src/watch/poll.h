// Repeats a request during a run. The answer may take long, so a separate thread asks; poll()
// decides when, so this class needs no clock.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "radosload/units.h"

namespace radosload::watch {

template <typename Answer>
class Poll {
 public:
  // `ask` must return within seconds, because the destructor waits for it.
  Poll(Time period, std::function<Answer()> ask)
      : m_period(period),
        m_ask(std::move(ask)),
        m_asker([this](const std::stop_token& end) { ask_when_told(end); }) {}
  ~Poll() = default;
  Poll(const Poll&) = delete;
  Poll& operator=(const Poll&) = delete;
  Poll(Poll&&) = delete;
  Poll& operator=(Poll&&) = delete;

  // The answer that arrived since the last call; asks again when it is time. Never waits.
  std::optional<Answer> poll(Time now) {
    const std::lock_guard lock(m_mutex);
    // Each pass has its own clock, which begins at 0.
    const bool other_clock = m_next > now + m_period;
    if ((now >= m_next || other_clock) && begin()) m_next = now + m_period;
    return std::exchange(m_answer, std::nullopt);
  }

  // Whether a request is under way.
  bool asking() {
    const std::lock_guard lock(m_mutex);
    return m_asking;
  }

  // The last answer, after waiting for a request that is under way. Does not ask.
  std::optional<Answer> last() {
    std::unique_lock lock(m_mutex);
    m_answered.wait(lock, [this] { return !m_asking; });
    return std::exchange(m_answer, std::nullopt);
  }

  // Asks at once, even before the period is over. False while a request is under way.
  bool ask_now() {
    const std::lock_guard lock(m_mutex);
    return begin();
  }

 private:
  bool begin() {
    if (m_asking) return false;
    m_asking = true;
    m_told.notify_one();
    return true;
  }

  void ask_when_told(const std::stop_token& end) {
    std::unique_lock lock(m_mutex);
    while (m_told.wait(lock, end, [this] { return m_asking; })) {
      lock.unlock();
      auto answer = m_ask();
      lock.lock();
      m_answer = std::move(answer);
      m_asking = false;
      m_answered.notify_all();
    }
  }

  Time m_period;
  std::function<Answer()> m_ask;
  Time m_next{0};

  std::mutex m_mutex;
  std::condition_variable_any m_told;
  std::condition_variable m_answered;
  bool m_asking = false;
  std::optional<Answer> m_answer;
  std::jthread m_asker;  // last: it ends before anything it uses
};

}  // namespace radosload::watch
