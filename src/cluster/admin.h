// AdminCommands on a real cluster, over its own cluster handle: a hung command must not delay the
// load, and a handle with a hung command cannot be shut down.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "radosload/admin_connection.h"

#include "cluster/connection.h"

namespace radosload::cluster {

class Admin final : public AdminConnection {
 public:
  static Result<std::unique_ptr<Admin>> open(const ClusterOptions& options);

  std::unique_ptr<AdminCommands> within(Time limit) const override;

  Result<std::string> mon(const std::string& command) override;
  Result<std::string> mgr(const std::string& command) override;
  Result<std::string> osd(int id, const std::string& command) override;

  Connection& connection() { return *m_connection; }

 private:
  using Call = std::function<int(librados::Rados&, librados::bufferlist*, std::string*)>;

  // Daemons with an unanswered command: another one would cost the full time limit again. Any
  // answer, however late, clears the mark.
  struct Silent {
    std::atomic<bool> mons = false;
    std::atomic<bool> mgr = false;
  };

  Admin(std::shared_ptr<Connection> connection, std::shared_ptr<Silent> silent, Time limit);
  Result<std::string> ask(const std::string& daemon, const std::string& command, Call call);
  // For mons and mgr: sends nothing while an earlier command is unanswered.
  Result<std::string> ask_once(const std::string& daemon, const std::string& command,
                               std::atomic<bool> Silent::*silent, Call call);

  // Shared with all abandoned commands, which may end long after this object.
  std::shared_ptr<Connection> m_connection;
  std::shared_ptr<Silent> m_silent;
  Time m_limit;
};

}  // namespace radosload::cluster
