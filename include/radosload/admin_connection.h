// A connection to a cluster's daemons, from which commands with other time limits are made.
#pragma once

#include <memory>

#include "radosload/admin_commands.h"
#include "radosload/units.h"

namespace radosload {

class AdminConnection : public AdminCommands {
 public:
  // The same connection, with this time limit for each command, or its own if that is shorter.
  virtual std::unique_ptr<AdminCommands> within(Time limit) const = 0;
};

}  // namespace radosload
