// Options of kinds that CLI11 does not know, and functions that several subcommands share.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "radosload/units.h"

#include "record/store.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

// Thrown while the command line is parsed, for a value that an option does not take. Carries the
// whole error, of which the parser would keep one text.
struct WrongValue : CLI::ValidationError {
  explicit WrongValue(radosload::Error given)
      : CLI::ValidationError(given.message()), wrong(std::move(given)) {}
  radosload::Error wrong;
};

// Shows the value that it begins with as the default.
CLI::Option* add_duration(CLI::App& command, const std::string& name, Time& into,
                          const std::string& help);
CLI::Option* add_size(CLI::App& command, const std::string& name, Bytes& into,
                      const std::string& help);

// --trace FILE.npy. Another ending is refused: `--trace run.csv` does not make CSV.
CLI::Option* add_trace_file(CLI::App& command, std::string& into, const std::string& help);

// Refuses any value that is not one of `choices`, "text|json".
CLI::Validator one_of_choices(std::string_view choices);

// The run store of the user.
Result<record::Store> open_store();

}  // namespace radosload::cli
