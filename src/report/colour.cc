#include "report/colour.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace radosload::report {

namespace {

constexpr std::string_view red = "\x1b[31m";
constexpr std::string_view green = "\x1b[32m";
constexpr std::string_view yellow = "\x1b[33m";
constexpr std::string_view plain_again = "\x1b[0m";

struct Rule {
  std::string_view label;   // the beginning of the line
  std::string_view behind;  // what must follow the label; empty: any text
  std::string_view colour;
};

// The first rule that applies decides. A grade is the first word after its label.
constexpr std::array<Rule, 17> rules = {{{"  grade     ", "clean", green},
                                         {"  grade     ", "contaminated", yellow},
                                         {"  grade     ", "void", red},
                                         {"  verdict ", "NOT below", red},
                                         {"  verdict ", "below", green},
                                         {"  routing ", "NOT", red},
                                         {"  routing ", "verified", green},
                                         {"  errors ", "", red},
                                         {"  lost ", "", red},
                                         {"  failed ", "", red},
                                         {"  warning ", "", yellow},
                                         {"  early ", "", yellow},
                                         {"  missing ", "", yellow},
                                         {"  slowest ", "", yellow},
                                         {"  knee ", "", green},
                                         {"  waiting for ", "", yellow},
                                         {"  events ", "", yellow}}};

bool applies(const Rule& rule, std::string_view line) {
  if (!line.starts_with(rule.label)) return false;
  const std::size_t place = line.substr(rule.label.size()).find(rule.behind);
  return rule.label.starts_with("  grade") ? place == 0 : place != std::string_view::npos;
}

std::string in_colour(std::string_view text, std::string_view colour) {
  return fmt::format("{}{}{}", colour, text, plain_again);
}

// Colours the label, and the verdict if the rule has a colour for it.
std::string coloured_line(std::string_view line) {
  const auto* const rule = std::find_if(rules.begin(), rules.end(),
                                        [line](const Rule& each) { return applies(each, line); });
  if (rule == rules.end()) return std::string(line);
  if (rule->behind.empty()) {
    const std::size_t begin = line.find_first_not_of(' ');
    const std::size_t end = rule->label.size() - 1;
    return fmt::format("{}{}{}", line.substr(0, begin),
                       in_colour(line.substr(begin, end - begin), rule->colour), line.substr(end));
  }
  const std::size_t begin = line.find(rule->behind, rule->label.size());
  const std::size_t end = begin + rule->behind.size();
  return fmt::format("{}{}{}", line.substr(0, begin),
                     in_colour(line.substr(begin, end - begin), rule->colour), line.substr(end));
}

std::string with_first_word(std::string_view text, std::string_view colour) {
  const std::size_t end = std::min(text.find(' '), text.size());
  return in_colour(text.substr(0, end), colour) + std::string(text.substr(end));
}

}  // namespace

std::string coloured(std::string_view lines) {
  std::string result;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    result += coloured_line(lines.substr(0, end));
    if (end < lines.size()) result += '\n';
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return result;
}

std::string coloured_warning(std::string_view text) {
  return with_first_word(text, yellow);
}

std::string coloured_error(std::string_view text) {
  return with_first_word(text, red);
}

}  // namespace radosload::report
