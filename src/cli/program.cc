#include "cli/program.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

#include <fmt/core.h>

namespace radosload::cli {

namespace {

constexpr const char* about =
    "radosload puts a known load on a Ceph cluster, knows which OSD serves each operation,\n"
    "watches the cluster while it measures, and says what its numbers prove.";
constexpr const char* examples =
    "Examples:\n"
    "  radosload status                       the cluster, and what would bend a run on it\n"
    "  radosload -h, radosload COMMAND -h     what can be said\n";

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

}  // namespace

int run_program(int argc, char** argv) {
  CLI::App program(about, "radosload");
  program.footer(examples);
  program.set_version_flag("-V,--version", "radosload " RADOSLOAD_VERSION);
  program.require_subcommand(1);
  program.failure_message([](const CLI::App*, const CLI::Error&) { return std::string(); });

  Action chosen;
  add_status(program, chosen);
  add_cleanup(program, chosen);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usage_error(program, error);
  }
  const Result<Exit> result = chosen();
  return result ? static_cast<int>(*result) : report(result.error());
}

}  // namespace radosload::cli
