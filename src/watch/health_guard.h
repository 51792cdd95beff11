// Watches the cluster's health during a run, and says when the run should end.
#pragma once

#include <functional>
#include <memory>

#include "radosload/admin_commands.h"
#include "radosload/units.h"

#include "observe/health.h"
#include "watch/poll.h"

namespace radosload::watch {

class HealthGuard {
 public:
  // Between two questions. A cluster notices trouble within seconds, not faster.
  static constexpr Time period = std::chrono::seconds(2);

  // `also` is called after each question, on the same thread: mons get one question at a time. An
  // unanswered one blocks the next.
  HealthGuard(
      std::shared_ptr<AdminCommands> commands, observe::HealthWatch watch,
      std::function<void()> also = [] {});

  // What has come in since the last call; never waits.
  observe::HealthWatch::Finding poll(Time now);

 private:
  observe::HealthWatch::Finding judge(const Result<observe::Health>& answer);

  std::shared_ptr<AdminCommands> m_commands;
  observe::HealthWatch m_watch;
  bool m_unseen = false;  // the last question had no answer
  Poll<Result<observe::Health>> m_poll;
};

}  // namespace radosload::watch
