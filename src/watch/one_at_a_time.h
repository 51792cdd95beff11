// Serialises requests to mons and mgr, which must get one at a time (cluster/admin.h sends no
// second one), so that several threads of a watch can ask.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "radosload/admin_commands.h"

namespace radosload::watch {

class OneAtATime final : public AdminCommands {
 public:
  explicit OneAtATime(std::unique_ptr<AdminCommands> commands) : m_commands(std::move(commands)) {}

  Result<std::string> mon(const std::string& command) override {
    const std::lock_guard turn(m_mons);
    return m_commands->mon(command);
  }
  Result<std::string> mgr(const std::string& command) override {
    const std::lock_guard turn(m_mgr);
    return m_commands->mgr(command);
  }
  // OSDs take any number of requests.
  Result<std::string> osd(int id, const std::string& command) override {
    return m_commands->osd(id, command);
  }

 private:
  std::unique_ptr<AdminCommands> m_commands;
  std::mutex m_mons;
  std::mutex m_mgr;
};

}  // namespace radosload::watch
