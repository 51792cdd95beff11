#include "run/health_guard.h"

#include <utility>

#include <fmt/format.h>

namespace radosload::run {

using Finding = observe::HealthWatch::Finding;

HealthGuard::HealthGuard(std::unique_ptr<AdminCommands> commands, observe::HealthWatch watch)
    : m_commands(std::move(commands)),
      m_watch(std::move(watch)),
      m_asker([this](const std::stop_token& end) { ask_when_told(end); }) {}

HealthGuard::~HealthGuard() = default;

void HealthGuard::ask_when_told(const std::stop_token& end) {
  std::unique_lock lock(m_mutex);
  while (m_told.wait(lock, end, [this] { return m_asking; })) {
    lock.unlock();
    const auto said =
        m_commands->mon(R"({"prefix": "health", "detail": "detail", "format": "json"})");
    auto answer = said ? observe::parse_health(*said) : fail(said.error());
    lock.lock();
    m_answer = std::move(answer);
    m_asking = false;
  }
}

Finding HealthGuard::look(Time now) {
  std::optional<Result<observe::Health>> answer;
  {
    const std::lock_guard lock(m_mutex);
    answer.swap(m_answer);
    // Each pass has a clock of its own, which begins at 0.
    const bool other_clock = m_next > now + period;
    if (!m_asking && (now >= m_next || other_clock)) {
      m_next = now + period;
      m_asking = true;
      m_told.notify_one();
    }
  }
  return answer ? judge(*answer) : Finding{};
}

Finding HealthGuard::judge(const Result<observe::Health>& answer) {
  Finding finding;
  if (answer) finding = m_watch.look(*answer);
  const bool was_unseen = std::exchange(m_unseen, !answer);
  if (m_unseen && !was_unseen) {
    finding.changes.push_back(
        fmt::format("nobody watches its health for now: {}", answer.error().message()));
  } else if (!m_unseen && was_unseen) {
    finding.changes.emplace_back("its health can be seen again");
  }
  return finding;
}

}  // namespace radosload::run
