// Long work of `radosload time` that is polled: a shell command that restarts an OSD, and commands
// that an OSD answers when they are done.
#pragma once

#include <memory>
#include <string>

#include "radosload/admin_commands.h"

#include "timers/world.h"

namespace radosload::cli {

// Runs the command with /bin/sh in its own process group, because Ctrl-C must not stop a restart
// halfway. An exit status other than 0 is an error with the last line of the command's output.
std::unique_ptr<timers::Job> start_shell(const std::string& command);

// Asks on another thread. `commands` must have a time limit that is long enough for the work.
std::unique_ptr<timers::Job> ask_osd(std::shared_ptr<AdminCommands> commands, std::int32_t osd,
                                     const std::string& command);

}  // namespace radosload::cli
