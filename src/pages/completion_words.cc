#include "pages/completion_words.h"

#include "cli/prose.h"
#include "plan/patterns.h"
#include "plan/suites.h"

namespace radosload::pages {

std::vector<std::pair<std::string, std::string>> patterns_with_summaries() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& named : plan::catalogue()) {
    all.emplace_back(named.defaults.name, std::string(named.summary));
  }
  for (const auto& suite : plan::suites()) {
    all.emplace_back(std::string(suite.name), std::string(suite.summary));
  }
  return all;
}

std::vector<std::string> pattern_names() {
  std::vector<std::string> names;
  for (const auto& [name, summary] : patterns_with_summaries()) names.push_back(name);
  return names;
}

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const auto& key : plan::pattern_keys()) names.emplace_back(key.key);
  return names;
}

std::vector<std::string> choices_of(const cli::Program& program, const cli::Option& option) {
  if (option.offer != cli::Offer::topics) return option.choices;
  std::vector<std::string> names;
  for (const auto& topic : cli::topics()) names.emplace_back(topic.name);
  for (const cli::Command& command : program.commands) names.push_back(command.name);
  return names;
}

std::string with_backslashes(std::string_view text, std::string_view special) {
  std::string result;
  for (const char letter : text) {
    if (special.find(letter) != std::string_view::npos) result += '\\';
    result += letter;
  }
  return result;
}

}  // namespace radosload::pages
