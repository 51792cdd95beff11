#include <algorithm>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/format_options.h"
#include "cli/output.h"
#include "plan/patterns.h"
#include "plan/suites.h"
#include "views/patterns_json.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

std::string overview() {
  std::string text;
  std::size_t width = 0;
  for (const auto& named : plan::catalogue()) {
    width = std::max(width, named.defaults.name.size());
  }
  for (const auto& named : plan::catalogue()) {
    text += fmt::format("  {:<{}}  {}\n", named.defaults.name, width, named.summary);
  }
  text += "\nSuites: several runs one after the other, and one table:\n";
  for (const auto& suite : plan::suites()) {
    text += fmt::format("  {:<{}}  {}\n", suite.name, width, suite.summary);
  }
  text += "\nKeys, as NAME,key=value,... or as options of their own (--key value):\n";
  for (const auto& key : plan::pattern_keys()) {
    text += fmt::format("  {:<12} {:<22} {}\n", key.key, key.values, key.summary);
  }
  text +=
      "\nA list of values (qd=1:4:16) makes a run of each, and one table. Every key takes one but\n"
      "dist, whose colon belongs to zipf:THETA; so do --rate, --clients and the pattern's name.\n";
  return text +
         "\n'radosload patterns NAME' explains one, 'radosload help patterns' the language.\n";
}

std::string explain_suite(const plan::Suite& suite) {
  std::string text = fmt::format("{}: {}\n\n{}\n\n", suite.name, suite.summary, suite.detail);
  for (std::size_t i = 0; i < suite.steps.size(); ++i) {
    std::string place;
    for (const auto& setting : suite.steps[i].place) place += setting.value + " ";
    text += fmt::format("  {:>2}  {:<29} {}\n", i + 1, place, suite.steps[i].pattern);
  }
  return text + fmt::format(
                    "\nEach is measured for {} after {} of warm-up, unless --time and "
                    "--warmup say otherwise.\n",
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
  if (name.empty()) return print_result(overview());
  if (const auto* const suite = plan::find_suite(name)) {
    return print_result(explain_suite(*suite));
  }
  // Parsing gives the same error for an unknown name as a run would.
  RADOSLOAD_ASSIGN(const auto pattern, plan::parse_pattern(name));
  const auto* const named = plan::find_pattern(pattern.name);
  std::string text =
      fmt::format("{}: {}\n\n{}\n\n", named->defaults.name, named->summary, named->detail);
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
  command->add_option("PATTERN", words->name, "the one to explain")->type_name("");
  add_format_options(*command, words->format);
  command->final_callback([words, &chosen] { chosen = [words] { return explain(*words); }; });
}

}  // namespace radosload::cli
