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

  // The same connection, with less patience for each command.
  std::unique_ptr<Admin> within(Time limit) const;

  Result<std::string> mon(const std::string& command) override;
  Result<std::string> mgr(const std::string& command) override;
  Result<std::string> osd(int id, const std::string& command) override;

  Connection& connection() { return *m_connection; }

 private:
  using Call = std::function<int(librados::Rados&, librados::bufferlist*, std::string*)>;

  // Daemons that have been asked and have not answered: another question would cost the full
  // deadline again. An answer, however late, clears it.
  struct Silent {
    std::atomic<bool> mons = false;
    std::atomic<bool> mgr = false;
  };

  Admin(std::shared_ptr<Connection> connection, std::shared_ptr<Silent> silent, Time limit);
  Result<std::string> ask(const std::string& daemon, const std::string& command, Call call);
  // For those of whom there is one: not asked while an earlier question is open.
  Result<std::string> ask_once(const std::string& daemon, const std::string& command,
                               std::atomic<bool> Silent::*silent, Call call);

  // Shared with every command given up: they may end long after this object.
  std::shared_ptr<Connection> m_connection;
  std::shared_ptr<Silent> m_silent;
  Time m_limit;
};

}  // namespace radosload::cluster
