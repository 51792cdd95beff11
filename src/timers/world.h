// What a timer needs of the world around it: the cluster, clocks, and work that takes long and is
// polled. Tests replace all of it, so that an hour passes at once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "radosload/admin_commands.h"
#include "radosload/result.h"
#include "radosload/units.h"

#include "timers/probe.h"

namespace radosload::timers {

// A command that is running: of a shell, or one that an OSD carries out.
class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  Job(Job&&) = delete;
  Job& operator=(Job&&) = delete;
  virtual ~Job() = default;

  // Nothing while it runs; then what it printed, or why it failed.
  virtual std::optional<Result<std::string>> poll() = 0;
};

struct World {
  AdminCommands& commands;
  std::function<Time()> now;   // goes forward only
  std::function<Time()> wall;  // since 1970
  std::function<void(Time)> sleep;
  std::function<bool()> interrupted = [] { return false; };
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  // The answer of an OSD to a command, however long it takes.
  std::function<std::unique_ptr<Job>(std::int32_t osd, const std::string& command)> ask_osd = {};
  std::function<std::unique_ptr<Job>(const std::string& command)> start_command = {};
  // Reads that this OSD serves, one after the other. Empty: there is no pool to read from.
  std::function<std::unique_ptr<Probe>(std::int32_t osd)> start_probe = {};
};

}  // namespace radosload::timers
