// Options of kinds that CLI11 does not know, and what several subcommands share.
#pragma once

#include <string>

#include "radosload/units.h"

#include "record/store.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

// Shows the value that it begins with as the default.
CLI::Option* add_duration(CLI::App& command, const std::string& name, Time& into,
                          const std::string& help);

// The run store of whoever calls us.
Result<record::Store> open_store();

}  // namespace radosload::cli
