#include "cli/options/log_options.h"

#include <chrono>

#include "base/log.h"
#include "cli/options/run_words.h"
#include "cli/output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

using Clock = std::chrono::steady_clock;

const Clock::time_point began = Clock::now();

}  // namespace

void add_log_options(CLI::App& command, LogOptions& options) {
  const std::string group = "Log";
  command
      .add_flag("-v,--verbose", options.verbose,
                "log to stderr: commands to the cluster, decisions")
      ->configurable(false)
      ->group(group);
  command
      .add_option("--log-level", options.level,
                  "lowest level to log; debug adds the library's settings [info]")
      ->check([](const std::string& name) {
        return base::log_level(name) ? std::string()
                                     : fmt::format("there is no log level '{}', only {}", name,
                                                   base::log_level_names);
      })
      ->type_name(std::string(base::log_level_names))
      ->configurable(false)
      ->group(group);
  command
      .add_option("--log-file", options.file, "log to this file; an existing log is appended to")
      ->type_name("FILE")
      ->configurable(false)
      ->group(group);
}

Status start_log(const LogOptions& options, const std::vector<std::string>& words) {
  const bool on_stderr = options.verbose || (!options.level.empty() && options.file.empty());
  if (!on_stderr && options.file.empty()) return {};
  const auto level = base::log_level(options.level).value_or(base::LogLevel::info);
  RADOSLOAD_TRY(base::start_log(
      {.level = level, .print = tell, .on_stderr = on_stderr, .file = options.file}));
  base::log_info("{} starts: {}", program_name, fmt::join(words, " "));
  return {};
}

void log_end(int status) {
  const std::chrono::duration<double> took = Clock::now() - began;
  base::log_info("ends with exit status {} after {:.1f} s", status, took.count());
}

}  // namespace radosload::cli
