// The rows of the table of options (plan/options) as options of the command line.
#pragma once

#include <functional>
#include <string>

#include "plan/options.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

// What becomes of the text that was given; of a switch it is "yes".
using TakeText = std::function<void(const std::string&)>;

// Declares one option. TakeText may throw what CLI11 throws.
CLI::Option* declare(CLI::App& command, const plan::Option& option, const TakeText& take);

// Into the plan, or as the usage error that CLI11 carries to the top.
void set_or_throw(const plan::Option& option, RunPlan& plan, const std::string& text);

}  // namespace radosload::cli
