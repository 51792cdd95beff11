// Asks the user's command for the power: it prints watts, one number.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::watch {

// The watts in the output of a command; blanks around the number do not matter.
Result<double> parse_watts(std::string_view output);

// Runs the command once and waits for it. A command that takes longer than `limit`, or still runs
// when `stop` becomes true, is killed with its process group. Reasons never contain the command,
// which may hold a password.
Result<double> ask_power_command(const std::string& command, Time limit,
                                 const std::atomic<bool>& stop);

}  // namespace radosload::watch
