// Starts a shell command as a child process.
#pragma once

#include <string>
#include <sys/types.h>

namespace radosload::base {

// Starts the command with /bin/sh in its own process group, whose number is `pid`, so that Ctrl-C
// does not reach it: no signal is blocked, stdin is empty, output goes to these files. Returns an
// errno, or 0.
int start_shell(const std::string& command, int output, int errors, pid_t& pid);

}  // namespace radosload::base
