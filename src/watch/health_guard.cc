#include "watch/health_guard.h"

#include <utility>

#include "base/log.h"

#include <fmt/format.h>

namespace radosload::watch {

using Finding = observe::HealthWatch::Finding;

HealthGuard::HealthGuard(std::shared_ptr<AdminCommands> commands, observe::HealthWatch watch,
                         std::function<void()> also)
    : m_commands(std::move(commands)),
      m_watch(std::move(watch)),
      m_poll(period, [this, also = std::move(also)]() -> Result<observe::Health> {
        const auto said =
            m_commands->mon(R"({"prefix": "health", "detail": "detail", "format": "json"})");
        also();
        if (!said) return fail(said.error());
        return observe::parse_health(*said);
      }) {}

Finding HealthGuard::poll(Time now) {
  const auto answer = m_poll.poll(now);
  return answer ? judge(*answer) : Finding{};
}

Finding HealthGuard::judge(const Result<observe::Health>& answer) {
  Finding finding;
  if (answer) finding = m_watch.update(*answer);
  const bool was_unseen = std::exchange(m_unseen, !answer);
  if (m_unseen && !was_unseen) {
    finding.changes.push_back(
        fmt::format("its health is unknown for now: {}", answer.error().message()));
  } else if (!m_unseen && was_unseen) {
    finding.changes.emplace_back("its health is known again");
  }
  for (const std::string& change : finding.changes) base::log_info("the cluster: {}", change);
  return finding;
}

}  // namespace radosload::watch
