// The options of `radosload run` and `radosload replicas` as the user gave them. They are evaluated
// when all are known.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
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
  std::string resume;  // a series to continue
  std::string format = "text";
  std::string save;
  bool overwrite = false;  // applies to the files of --save and --html
  std::string html;        // a file
  std::string fio_logs;    // a folder
  std::string trace;       // a file
  bool no_progress = false;
  bool dry_run = false;
  bool leave = false;          // Ctrl-C ends this member of a session only
  bool drive_profile = false;  // short for the suite of that name
  bool each = false;           // one OSD at a time
  std::uint32_t rounds = 3;
  std::string require_clean;  // how many tries

  // CLI11 fills these; order_options() copies them into `request` in order.
  std::map<std::string, plan::Setting> options;  // by the option's name, without dashes
  std::set<std::string> named;  // every option of the command line, without those of config files
};

// Declares the options of a load; `run` has more.
void add_load_words(CLI::App& command, RunWords& words);
void add_run_words(CLI::App& command, RunWords& words);
// --leave, of `run` and `join`.
void add_leave(CLI::App& command, RunWords& words);
// Call after parsing. Options apply in the order in which they were given; those in from_files come
// from config files.
void order_options(const CLI::App& command, RunWords& words,
                   const std::set<std::string>& from_files);

// Refuses a --save or --html file that cannot be written, or that exists and must not be
// overwritten. `own`: the document of the series that is continued.
Status check_save(const RunWords& words,
                  const std::optional<std::filesystem::path>& own = std::nullopt);
// Writes the page to the file of --html, if one was given. The result has been printed already, so
// a failure is reported and costs only the page. Returns the exit status of the program.
Exit exit_after_html(const RunWords& words, Exit exit, const std::function<std::string()>& page);
// The largest number of measurements until a run is clean; 0: measure once, with any grade.
// Refuses --require-clean together with options whose files a repeated run would overwrite, and
// where runs are not graded.
Result<std::uint32_t> clean_tries(const RunWords& words, const RunPlan& plan);
// Where records are saved. If there is no place for them, the run continues with a note.
run::OutputOptions output_options(const RunWords& words, record::ProgressListener& listener);

}  // namespace radosload::cli
