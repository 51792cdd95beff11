#include "cli/program.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/mistakes.h"
#include "cli/options/defaults.h"
#include "cli/options/display_options.h"
#include "cli/output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

constexpr std::string_view without_config = "--no-config";

// A usage error lists defaults from config files, because the user may have forgotten them.
int report(Error error, const Defaults& defaults = {}) {
  if (error.exit == Exit::usage && !defaults.files.empty()) {
    error.hint += fmt::format("{}defaults from {}: {} ({} ignores config files)",
                              error.hint.empty() ? "" : "\n  ", fmt::join(defaults.files, " and "),
                              fmt::join(defaults.words, " "), without_config);
  }
  tell_error(error.message());
  const int status = static_cast<int>(error.exit);
  log_end(status);
  return status;
}

// Prints help or the version, which CLI11 throws as an error; otherwise the error in the command
// line.
int end_of_parsing(const CLI::App& program, const std::vector<std::string>& words,
                   const CLI::ParseError& error, const Defaults& defaults) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    std::ostringstream help;
    program.exit(error, help, help);
    return static_cast<int>(print_result(help.str()));
  }
  return report(usage_error(program, words, error), defaults);
}

// "run" may be left out: a command line that starts with an option is a run, unless the option is
// the program's own.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  constexpr std::array<std::string_view, 4> own = {"-h", "--help", "-V", "--version"};
  if (words.empty()) return words;
  constexpr std::array<std::string_view, 3> of_all = {without_config, "-v", "--verbose"};
  const bool early = words.size() > 1 && !words[1].starts_with('-') &&
                     std::find(of_all.begin(), of_all.end(), words[0]) != of_all.end();
  if (early) std::swap(words[0], words[1]);
  const bool starts_with_option = words.front().starts_with('-');
  if (starts_with_option && std::find(own.begin(), own.end(), words.front()) == own.end()) {
    words.insert(words.begin(), "run");
  }
  return words;
}

// Inserts the defaults after the subcommand, so that the user's own words come later and take
// priority.
std::vector<std::string> with(const Defaults& defaults, std::vector<std::string> words) {
  words.insert(words.begin() + 1, defaults.words.begin(), defaults.words.end());
  // CLI11 expects the words in reverse order.
  std::reverse(words.begin(), words.end());
  return words;
}

// Names the real pool if the user gave a name from a config file.
void tell_of_pools(const CommandLine& line) {
  for (const std::string& name : line.renamed) {
    warn(fmt::format("--pool {} is the pool '{}' (from the config file)", name,
                     line.pools.at(name)));
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  const std::vector<std::string> words = words_of(argc, argv);
  CommandLine line;
  if (const auto error = unknown_command(line.app, words)) return report(*error);
  const auto defaults = defaults_for(words, config_paths());
  if (!defaults) return report(defaults.error());
  line.from_files = defaults->options;
  line.pools = defaults->pools;
  try {
    line.app.parse(with(*defaults, words));
  } catch (const CLI::ParseError& error) {
    return end_of_parsing(line.app, words, error, *defaults);
  }
  use_display(line.display);
  if (const auto started = start_log(line.log, words); !started) {
    return report(started.error(), *defaults);
  }
  tell_of_pools(line);
  const Result<Exit> result = line.chosen();
  if (!result) return report(result.error(), *defaults);
  const int status = static_cast<int>(*result);
  log_end(status);
  return status;
}

}  // namespace radosload::cli
