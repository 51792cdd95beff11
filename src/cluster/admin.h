// AdminCommands on a real cluster, over a handle of its own: a command that hangs must not hold up
// the load, and a handle with a hung command cannot be shut down.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "radosload/admin_commands.h"

#include "cluster/connection.h"

namespace radosload::cluster {

class Admin final : public AdminCommands {
 public:
  static Result<std::unique_ptr<Admin>> open(const ClusterOptions& options);

  Result<std::string> mon(const std::string& command) override;
  Result<std::string> mgr(const std::string& command) override;
  Result<std::string> osd(int id, const std::string& command) override;

  Connection& connection() { return *m_connection; }

 private:
  using Call = std::function<int(librados::Rados&, librados::bufferlist*, std::string*)>;

  explicit Admin(std::shared_ptr<Connection> connection);
  Result<std::string> ask(const std::string& daemon, const std::string& command, Call call);

  // Shared with every command given up: they may end long after this object.
  std::shared_ptr<Connection> m_connection;
  std::shared_ptr<std::atomic<bool>> m_mgr_hangs;
};

}  // namespace radosload::cluster
