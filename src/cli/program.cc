#include "cli/program.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggest.h"
#include "cli/command.h"

#include <fmt/core.h>

namespace radosload::cli {

namespace {

constexpr const char* about =
    "radosload puts a known load on a Ceph cluster, knows which OSD serves each operation,\n"
    "watches the cluster while it measures, and says what its numbers prove.";
constexpr const char* examples =
    "Examples:\n"
    "  radosload --pool hdd --pattern randrw4k     measure a pool for a minute\n"
    "  radosload patterns                          what else can be asked of it\n"
    "  radosload status                            the cluster, and what would bend a run on it\n"
    "  radosload run -h                            every option of a run\n";

int report(const Error& error) {
  fmt::print(stderr, "radosload: {}\n", error.message());
  return static_cast<int>(error.exit);
}

// CLI11 says what is wrong; we say it in our own form and with our own exit status.
int usage_error(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
    return program.exit(error);
  return report({.reason = error.what(), .hint = "see 'radosload --help'", .exit = Exit::usage});
}

// "run" may be left out: what begins with an option that is not the program's own is a run.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  constexpr std::array<std::string_view, 4> own = {"-h", "--help", "-V", "--version"};
  const bool starts_with_option = !words.empty() && words.front().starts_with('-');
  if (starts_with_option && std::find(own.begin(), own.end(), words.front()) == own.end()) {
    words.insert(words.begin(), "run");
  }
  // CLI11 takes them from the back.
  std::reverse(words.begin(), words.end());
  return words;
}

// CLI11 would only say that a subcommand is missing.
std::optional<Error> unknown_command(const CLI::App& program, int argc, char** argv) {
  if (argc < 2) {
    return Error{.reason = "nothing is asked for",
                 .hint =
                     "for example 'radosload --pool hdd --pattern randrw4k'; "
                     "'radosload --help' shows what else",
                 .exit = Exit::usage};
  }
  if (argv[1][0] == '-') return std::nullopt;
  const std::string word = argv[1];
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return std::nullopt;
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view near = nearest_word(word, known);
  return Error{
      .reason = fmt::format("there is no command '{}'", word),
      .hint = near.empty() ? "see 'radosload --help'" : fmt::format("did you mean '{}'?", near),
      .exit = Exit::usage};
}

}  // namespace

int run_program(int argc, char** argv) {
  CLI::App program(about, "radosload");
  program.footer(examples);
  program.set_version_flag("-V,--version", "radosload " RADOSLOAD_VERSION);
  program.require_subcommand(1);
  program.failure_message([](const CLI::App*, const CLI::Error&) { return std::string(); });

  Action chosen;
  add_run(program, chosen);
  add_patterns(program, chosen);
  add_list(program, chosen);
  add_compare(program, chosen);
  add_report(program, chosen);
  add_cleanup(program, chosen);
  add_status(program, chosen);
  if (const auto error = unknown_command(program, argc, argv)) return report(*error);
  try {
    program.parse(words_of(argc, argv));
  } catch (const CLI::ParseError& error) {
    return usage_error(program, error);
  }
  const Result<Exit> result = chosen();
  return result ? static_cast<int>(*result) : report(result.error());
}

}  // namespace radosload::cli
