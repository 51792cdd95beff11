// Declares the rows of the option table (plan/options) as command-line options.
#pragma once

#include <functional>
#include <string>

#include "plan/options.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

// Gets the text of the value; for a switch, "yes".
using TakeText = std::function<void(const std::string&)>;

// Declares one option. TakeText may throw CLI11's exceptions.
CLI::Option* declare(CLI::App& command, const plan::Option& option, const TakeText& take);

// Sets the option in the plan, or throws a WrongValue.
void set_or_throw(const plan::Option& option, RunPlan& plan, const std::string& text);

}  // namespace radosload::cli
