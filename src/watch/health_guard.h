// Watches the cluster's health during a run, and reports when the run should end.
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
  // The period of the checks. A cluster itself notices trouble only within seconds.
  static constexpr Time period = std::chrono::seconds(2);

  // `also` is called after each check, on the same thread, because mons get one request at a time:
  // a request without an answer blocks the next.
  HealthGuard(
      std::shared_ptr<AdminCommands> commands, observe::HealthWatch watch,
      std::function<void()> also = [] {});

  // The changes since the last call; never waits.
  observe::HealthWatch::Finding poll(Time now);
  // Whether a request is under way.
  bool waiting() { return m_poll.asking(); }

 private:
  observe::HealthWatch::Finding judge(const Result<observe::Health>& answer);

  std::shared_ptr<AdminCommands> m_commands;
  observe::HealthWatch m_watch;
  bool m_unseen = false;  // the last check had no answer
  Poll<Result<observe::Health>> m_poll;
};

}  // namespace radosload::watch
