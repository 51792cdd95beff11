// Options of types that CLI11 does not have, and functions that several subcommands share.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "radosload/units.h"

#include "record/store.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

// Thrown during parsing for a value that an option does not accept. Carries the whole error,
// because the parser keeps only a text.
struct WrongValue : CLI::ValidationError {
  explicit WrongValue(radosload::Error given)
      : CLI::ValidationError(given.message()), wrong(std::move(given)) {}
  radosload::Error wrong;
};

// --help shows the initial value of `into` as the default.
CLI::Option* add_duration(CLI::App& command, const std::string& name, Time& into,
                          const std::string& help);
CLI::Option* add_size(CLI::App& command, const std::string& name, Bytes& into,
                      const std::string& help);

// --trace FILE.npy. Refuses another ending, because `--trace run.csv` would not write CSV.
CLI::Option* add_trace_file(CLI::App& command, std::string& into, const std::string& help);

// Refuses any value that is not in `choices`: "text|json".
CLI::Validator one_of_choices(std::string_view choices);

// Opens the run store of the user.
Result<record::Store> open_store();

}  // namespace radosload::cli
