// Work of `radosload time` that takes long and is polled: a shell command that restarts an OSD, and
// commands that an OSD answers when they are done.
#pragma once

#include <memory>
#include <string>

#include "radosload/admin_commands.h"

#include "timers/world.h"

namespace radosload::cli {

// Runs it with /bin/sh in a process group of its own: Ctrl-C must not stop a restart halfway. A
// status other than 0 is an error with the last line that the command printed.
std::unique_ptr<timers::Job> start_shell(const std::string& command);

// Asks on another thread. `commands` has to have the time limit that the work needs.
std::unique_ptr<timers::Job> ask_osd(std::shared_ptr<AdminCommands> commands, std::int32_t osd,
                                     const std::string& command);

}  // namespace radosload::cli
