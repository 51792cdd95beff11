// Several parts of the program ask a cluster the same question at the same moment: it is sent once,
// and all get the same answer. An error is remembered too, because an absent mgr takes seconds to
// fail. For one thread, and only until the answers may have changed.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "radosload/admin_commands.h"

namespace radosload::observe {

class AskedOnce final : public AdminCommands {
 public:
  explicit AskedOnce(AdminCommands& commands) : m_commands(commands) {}

  Result<std::string> mon(const std::string& command) override {
    return remembered("mon", command, [&] { return m_commands.mon(command); });
  }
  Result<std::string> mgr(const std::string& command) override {
    return remembered("mgr", command, [&] { return m_commands.mgr(command); });
  }
  Result<std::string> osd(int id, const std::string& command) override {
    return remembered("osd." + std::to_string(id), command,
                      [&] { return m_commands.osd(id, command); });
  }

 private:
  Result<std::string> remembered(std::string daemon, const std::string& command, auto ask) {
    const std::pair key(std::move(daemon), command);
    const auto known = m_answers.find(key);
    return known != m_answers.end() ? known->second : m_answers.emplace(key, ask()).first->second;
  }

  AdminCommands& m_commands;
  std::map<std::pair<std::string, std::string>, Result<std::string>> m_answers;
};

}  // namespace radosload::observe
