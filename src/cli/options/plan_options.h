// The rows of the table of options (plan/options) as options of the command line.
#pragma once

#include <functional>
#include <string>

#include "plan/options.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

// Takes the text of the value; for a switch, "yes".
using TakeText = std::function<void(const std::string&)>;

// Declares one option. TakeText may throw what CLI11 throws.
CLI::Option* declare(CLI::App& command, const plan::Option& option, const TakeText& take);

// Sets the option in the plan, or throws a WrongValue.
void set_or_throw(const plan::Option& option, RunPlan& plan, const std::string& text);

}  // namespace radosload::cli
