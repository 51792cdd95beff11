// A cluster that gives the recorded answers of one Ceph release. What was never recorded, or is
// denied, is an error.
#pragma once

#include <cerrno>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "radosload/admin_commands.h"

#include "support/files.h"

namespace radosload {

class RecordedCluster : public AdminCommands {
 public:
  explicit RecordedCluster(std::string release) : m_release(std::move(release)) {}

  // Instead of what was recorded, for commands that contain `part`.
  void answer(const std::string& part, std::string text) { m_answers[part] = std::move(text); }
  void deny(const std::string& part) { m_denied.insert(part); }
  // A whole daemon: "the mons", "the mgr".
  void deny_all(const std::string& daemon) { m_denied_daemons.insert(daemon); }
  // Every command so far, and how often.
  const std::map<std::string, int>& asked() const { return m_asked; }

  Result<std::string> mon(const std::string& command) override {
    return answer_to("the mons", command,
                     {{"\"status\"", "status.json"},
                      {"\"osd dump\"", "osd-dump.json"},
                      {"\"osd tree\"", "osd-tree.json"},
                      {"\"osd metadata\"", "osd-metadata-all.json"},
                      {"\"versions\"", "versions.json"},
                      {"\"health\"", "health-detail.json"},
                      {"\"df\"", "df-detail.json"}});
  }
  Result<std::string> mgr(const std::string& command) override {
    return answer_to("the mgr", command,
                     {{"\"osd df\"", "osd-df.json"}, {"pgs_brief", "pg-dump-pgs_brief.json"}});
  }
  Result<std::string> osd(int, const std::string&) override { return denied("an OSD"); }

 private:
  using Files = std::map<std::string, std::string>;

  Result<std::string> answer_to(const std::string& daemon, const std::string& command,
                                const Files& files) {
    ++m_asked[command];
    const auto has = [&](const std::string& part) {
      return command.find(part) != std::string::npos;
    };
    if (m_denied_daemons.contains(daemon)) return denied(daemon);
    for (const std::string& part : m_denied) {
      if (has(part)) return denied(daemon);
    }
    for (const auto& [part, text] : m_answers) {
      if (has(part)) return text;
    }
    for (const auto& [part, file] : files) {
      if (has(part)) return test::fixture(m_release, file);
    }
    return denied(daemon);
  }
  static Result<std::string> denied(const std::string& daemon) {
    return fail({.attempt = "ask", .subject = daemon, .errnum = EACCES, .exit = Exit::no_cluster});
  }

  std::string m_release;
  std::map<std::string, std::string> m_answers;
  std::set<std::string> m_denied;
  std::set<std::string> m_denied_daemons;
  std::map<std::string, int> m_asked;
};

}  // namespace radosload
