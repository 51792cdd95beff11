// The seam for everything asked of mons, mgr and OSDs beside the load itself. Parsers and watchers
// are written against it, so they can be tested on recorded answers.
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

  // Each takes a command as Ceph's JSON ({"prefix": "status", "format": "json"}), returns what the
  // daemon printed, and comes back within a deadline whatever the daemon does.
  virtual Result<std::string> mon(const std::string& command) = 0;
  virtual Result<std::string> mgr(const std::string& command) = 0;
  virtual Result<std::string> osd(int id, const std::string& command) = 0;
};

}  // namespace radosload
