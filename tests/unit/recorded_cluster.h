// A cluster that gives the recorded answers of one Ceph release to every question of a run.
#pragma once

#include <cerrno>
#include <map>
#include <string>
#include <utility>

#include "radosload/admin_commands.h"

#include "support/files.h"

namespace radosload {

class RecordedCluster final : public AdminCommands {
 public:
  explicit RecordedCluster(std::string release) : m_release(std::move(release)) {}

  // Instead of what was recorded, for commands that contain `part`.
  void answer(const std::string& part, std::string text) { m_answers[part] = std::move(text); }

  Result<std::string> mon(const std::string& command) override {
    return answer_to(command, {{"\"status\"", "status.json"},
                               {"\"osd dump\"", "osd-dump.json"},
                               {"\"osd tree\"", "osd-tree.json"},
                               {"\"osd metadata\"", "osd-metadata-all.json"},
                               {"\"versions\"", "versions.json"},
                               {"\"health\"", "health-detail.json"},
                               {"\"df\"", "df-detail.json"}});
  }
  Result<std::string> mgr(const std::string& command) override {
    return answer_to(command,
                     {{"\"osd df\"", "osd-df.json"}, {"pgs_brief", "pg-dump-pgs_brief.json"}});
  }
  Result<std::string> osd(int, const std::string&) override { return denied(); }

 private:
  using Files = std::map<std::string, std::string>;

  Result<std::string> answer_to(const std::string& command, const Files& files) const {
    for (const auto& [part, text] : m_answers) {
      if (command.find(part) != std::string::npos) return text;
    }
    for (const auto& [part, file] : files) {
      if (command.find(part) != std::string::npos) return test::fixture(m_release, file);
    }
    return denied();
  }
  static Result<std::string> denied() {
    return fail({.attempt = "ask", .errnum = EACCES, .exit = Exit::no_cluster});
  }

  std::string m_release;
  std::map<std::string, std::string> m_answers;
};

}  // namespace radosload
