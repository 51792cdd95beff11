// The words of `radosload run` as they were given: its options, and what is asked for by them. What
// they mean is settled once all of them are known.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "plan/steps.h"
#include "record/progress.h"
#include "run/run.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

inline constexpr const char* program_name = "radosload " RADOSLOAD_VERSION;

struct RunWords {
  plan::Request request;
  std::string resume;  // a series to go on with
  std::string format = "text";
  std::string save;
  bool overwrite = false;  // what --save names
  std::string fio_logs;    // a folder
  std::string trace;       // a file
  bool no_progress = false;
  bool dry_run = false;
  bool each = false;  // one OSD at a time
  std::uint32_t rounds = 3;

  // What CLI11 leaves behind, until order_options() has put it together.
  std::map<std::string, plan::Setting> options;  // by the option's name, without dashes
  std::set<std::string> named;  // every option that was given; defaults of config files were not
};

// What any load is described with; a run can do more with it.
void add_load_words(CLI::App& command, RunWords& words);
void add_run_words(CLI::App& command, RunWords& words);
// To be called when all has been parsed: options count in the order in which they were given, and
// those that stand in from_files are nobody's wish for this run.
void order_options(const CLI::App& command, RunWords& words,
                   const std::set<std::string>& from_files);

// Refuses a place of --save that could not be written to, or holds a file that is not to be
// overwritten. `own`: a document that is gone on with.
Status check_save(const RunWords& words,
                  const std::optional<std::filesystem::path>& own = std::nullopt);
// Where records go. Without a place to keep them a run is still worth making; it says that it is
// not kept.
run::OutputOptions output_options(const RunWords& words, record::ProgressListener& listener);

}  // namespace radosload::cli
