// Runs the command of `probe --exec` for each change. The probe does not wait for it; one that
// takes too long is ended.
#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

#include "probe/facts.h"

namespace radosload::cli {

// {osd}, {subject}, {op}, {ratio}, {since} and {text} replaced, each quoted for the shell.
std::string change_command(const std::string& command, const probe::Change& change);

class ChangeCommands {
 public:
  explicit ChangeCommands(std::string command) : m_command(std::move(command)) {}
  // Waits for what still runs, for a few seconds at most, and ends it then.
  ~ChangeCommands();
  ChangeCommands(const ChangeCommands&) = delete;
  ChangeCommands& operator=(const ChangeCommands&) = delete;
  ChangeCommands(ChangeCommands&&) = delete;
  ChangeCommands& operator=(ChangeCommands&&) = delete;

  void start(const probe::Change& change);
  // Takes note of those that have ended, and ends those that are late. Warns of failures.
  void look();

 private:
  using Clock = std::chrono::steady_clock;
  struct Started {
    pid_t pid;
    Clock::time_point until;
    std::string text;
  };

  std::string m_command;
  std::vector<Started> m_started;
};

}  // namespace radosload::cli
