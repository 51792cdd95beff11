#include <algorithm>
#include <memory>
#include <string>

#include "cli/commands/command.h"
#include "cli/help_text.h"
#include "cli/options/format_options.h"
#include "cli/output.h"
#include "plan/patterns.h"
#include "plan/suites.h"
#include "report/layout.h"
#include "views/patterns_json.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

// Two columns; the second is wrapped.
std::string row(const std::string& left, std::string_view right, std::size_t width) {
  return report::paragraph(left, right, report::indent, width + 2, page_columns);
}

std::string list_of_patterns() {
  std::size_t width = 0;
  for (const auto& named : plan::catalogue()) {
    width = std::max(width, named.defaults.name.size());
  }
  std::string text = "Patterns:\n";
  for (const auto& named : plan::catalogue()) {
    text += row(named.defaults.name, named.summary, width);
  }
  text += "\nSuites (several runs and one table):\n";
  for (const auto& suite : plan::suites()) {
    text += row(std::string(suite.name), suite.summary, width);
  }
  text += "\nKeys, as NAME,key=value,... or as options (--key value):\n";
  constexpr std::size_t key_width = 32;
  for (const auto& key : plan::pattern_keys()) {
    text += row(fmt::format("{}={}", key.key, key.values), key.summary, key_width);
  }
  return text +
         "\nA list of values (qd=1:4:16) makes a run for each value, and one table. Every\n"
         "key takes a list except dist; so do --rate, --clients and the name of the\n"
         "pattern.\n"
         "\n'radosload patterns NAME' explains one pattern, 'radosload help patterns' all.\n";
}

std::string detail_text(std::string_view detail) {
  return report::paragraph("", detail, 0, 0, page_columns);
}

std::string explain_suite(const plan::Suite& suite) {
  std::string text =
      fmt::format("{}: {}\n\n{}\n", suite.name, suite.summary, detail_text(suite.detail));
  for (std::size_t i = 0; i < suite.steps.size(); ++i) {
    std::string place;
    for (const auto& setting : suite.steps[i].place) place += setting.value + " ";
    text += fmt::format("  {:>2}  {:<29} {}\n", i + 1, place, suite.steps[i].pattern);
  }
  return text + fmt::format(
                    "\nEach step is measured for {} after {} of warm-up, unless --time or\n"
                    "--warmup is given.\n",
                    option_text(suite.time), option_text(suite.warmup));
}

struct PatternsWords {
  std::string name;
  std::string format = "text";
};

Result<Exit> explain(const PatternsWords& words) {
  const std::string& name = words.name;
  if (words.format == "json") {
    RADOSLOAD_ASSIGN(const auto json, views::patterns_json(name));
    return print_result(json);
  }
  if (name.empty()) return print_result(list_of_patterns());
  if (const auto* const suite = plan::find_suite(name)) {
    return print_result(explain_suite(*suite));
  }
  // An unknown name gives the same error as in a run.
  RADOSLOAD_ASSIGN(const auto pattern, plan::parse_pattern(name));
  const auto* const named = plan::find_pattern(pattern.name);
  std::string text = fmt::format("{}: {}\n\n{}\n", named->defaults.name, named->summary,
                                 detail_text(named->detail));
  for (const auto& [key, value] : plan::describe(pattern)) {
    text += fmt::format("  {:<12} {}\n", key, value);
  }
  return print_result(text);
}

}  // namespace

void add_patterns(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("patterns", "List and explain the named patterns and suites");
  auto words = std::make_shared<PatternsWords>();
  command
      ->add_option("PATTERN", words->name,
                   "the pattern or suite to explain; without it, all are listed")
      ->type_name("");
  add_format_options(*command, words->format);
  command->final_callback([words, &chosen] { chosen = [words] { return explain(*words); }; });
}

}  // namespace radosload::cli
