// The interface for all commands to mons, mgr and OSDs (not the load itself). Parsers and watchers
// use it, so that tests can run them on recorded answers.
#pragma once

#include <string>

#include "radosload/result.h"

namespace radosload {

class AdminCommands {
 public:
  AdminCommands() = default;
  AdminCommands(const AdminCommands&) = delete;
  AdminCommands& operator=(const AdminCommands&) = delete;
  AdminCommands(AdminCommands&&) = delete;
  AdminCommands& operator=(AdminCommands&&) = delete;
  virtual ~AdminCommands() = default;

  // Each takes a command as Ceph's JSON ({"prefix": "status", "format": "json"}), returns the
  // daemon's output, and returns within a time limit also when the daemon hangs.
  virtual Result<std::string> mon(const std::string& command) = 0;
  virtual Result<std::string> mgr(const std::string& command) = 0;
  virtual Result<std::string> osd(int id, const std::string& command) = 0;
};

}  // namespace radosload
