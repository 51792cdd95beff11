// Asks how the cluster is while a run goes on, and says when the run had better end. Asking may
// take long, so a thread of its own does it; when to ask, and what the answers mean, is decided by
// whoever calls look(), so that nothing here has a clock.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/units.h"

#include "observe/health.h"

namespace radosload::run {

class HealthGuard {
 public:
  // Between two questions. A cluster notices trouble within seconds, not faster.
  static constexpr Time period = std::chrono::seconds(2);

  // The commands answer or give up within seconds: the destructor waits for one that is under way.
  HealthGuard(std::unique_ptr<AdminCommands> commands, observe::HealthWatch watch);
  ~HealthGuard();
  HealthGuard(const HealthGuard&) = delete;
  HealthGuard& operator=(const HealthGuard&) = delete;
  HealthGuard(HealthGuard&&) = delete;
  HealthGuard& operator=(HealthGuard&&) = delete;

  // What has come in since the last call; asks again when it is time. Never waits.
  observe::HealthWatch::Finding look(Time now);

 private:
  void ask_when_told(const std::stop_token& end);
  observe::HealthWatch::Finding judge(const Result<observe::Health>& answer);

  std::unique_ptr<AdminCommands> m_commands;
  observe::HealthWatch m_watch;
  Time m_next{0};
  bool m_unseen = false;  // the last question had no answer

  std::mutex m_mutex;
  std::condition_variable_any m_told;
  bool m_asking = false;
  std::optional<Result<observe::Health>> m_answer;
  std::jthread m_asker;  // last: it ends before anything it uses
};

}  // namespace radosload::run
