// A study written as its file.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "radosload/units.h"

#include "study/study_file.h"
#include "study/study_words.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

// Words that YAML, or another reader of it, takes for something else than a text.
bool is_special(std::string_view text) {
  static const std::set<std::string_view> words = {
      "null", "Null", "NULL", "~",    "yes",   "Yes",   "YES", "no",    "No",
      "NO",   "true", "True", "TRUE", "on",    "On",    "ON",  "false", "off",
      "Off",  "OFF",  "y",    "n",    "False", "FALSE", "Y",   "N"};
  return words.contains(text);
}

bool is_plain(std::string_view text) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr std::string_view inside = "_/.=+%- ";
  if (text.empty() || is_special(text) || text.back() == ' ') return false;
  if (letters.find(text.front()) == std::string_view::npos) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return letters.find(c) != std::string_view::npos || inside.find(c) != std::string_view::npos;
  });
}

std::string work_text(const Work& work) {
  const std::span<const std::string> words(work.words);
  if (work.what != Work::What::pattern || words.size() < 2) return words_text(words);
  return words_text(words.first(1)) + " " + options_text(words.subspan(1));
}

std::string yaml_text(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
      case '\\':
        quoted += '\\';
        quoted += c;
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\t':
        quoted += "\\t";
        break;
      case '\r':
        quoted += "\\r";
        break;
      default:
        quoted += c;
    }
  }
  return quoted + '"';
}

// The shortest percentage that reads back to the same share; a fraction where there is none, which
// is only so where the file had one.
std::string percent_text(double share) {
  constexpr double whole = 100;
  constexpr int most_digits = 17;
  const double percent = share * whole;
  // The product is rounded, so it may be a neighbour that reads back.
  for (const double near :
       {percent, std::nextafter(percent, 0.0), std::nextafter(percent, 2 * percent)}) {
    for (int digits = 0; digits <= most_digits; ++digits) {
      const std::string text = fmt::format("{:.{}f}", near, digits);
      if (std::stod(text) / whole == share) return text + "%";
    }
  }
  return fmt::format("{}", share);
}

std::string_view order_text(Order order) {
  switch (order) {
    case Order::abba:
      return "abba";
    case Order::listed:
      return "listed";
    case Order::shuffled:
      break;
  }
  return "shuffled";
}

class StudyWriter {
 public:
  std::string take() { return std::move(m_text); }

  void line(std::string_view key, std::string_view value) {
    m_text += fmt::format("{}: {}\n", key, yaml_text(value));
  }
  void begin(std::string_view key) { m_text += fmt::format("{}:\n", key); }
  void entry(std::string_view name, std::string_view value) {
    m_text += fmt::format("  {}: {}\n", yaml_text(name), yaml_text(value));
  }
  void empty_entry(std::string_view name) { m_text += fmt::format("  {}:\n", yaml_text(name)); }

  void works(std::string_view key, const StudyPlan& plan, Work::What what) {
    bool first = true;
    for (const Work& work : plan.works) {
      if (work.what != what) continue;
      if (std::exchange(first, false)) begin(key);
      entry(work.name, work_text(work));
    }
  }
  void options(const std::vector<std::string>& options) {
    if (options.empty()) return;
    const auto all = one_by_one(options);
    std::set<std::string> names;
    for (const auto& one : all) names.insert(option_name(one.front()));
    // An option that is given several times has no place in a map.
    if (names.size() < all.size()) return line("options", options_text(options));
    begin("options");
    for (const auto& one : all) {
      const bool off = one.front().ends_with("=no");
      entry(option_name(one.front()), one.size() > 1 ? one[1] : off ? "no" : "yes");
    }
  }
  void load(const Load& load) {
    if (load.rate.empty() && load.capacity_share <= 0) return;
    begin("load");
    entry("rate", load.rate.empty() ? percent_text(load.capacity_share) : load.rate);
  }
  void phases(const std::vector<Phase>& phases) {
    if (phases.empty()) return;
    begin("phases");
    for (const Phase& phase : phases) {
      if (phase.command.empty()) {
        empty_entry(phase.name);
      } else {
        entry(phase.name, phase.command);
      }
    }
  }

 private:
  std::string m_text;
};

}  // namespace

std::string study_text(const StudyPlan& plan) {
  StudyWriter writer;
  writer.line("name", plan.name);
  if (!plan.question.empty()) writer.line("question", plan.question);
  if (!plan.arms.empty()) writer.begin("arms");
  for (const Arm& arm : plan.arms) writer.entry(arm.name, options_text(arm.options));
  writer.works("patterns", plan, Work::What::pattern);
  writer.works("timers", plan, Work::What::timer);
  writer.options(plan.options);
  writer.line("rounds", std::to_string(plan.rounds));
  writer.line("order", order_text(plan.order));
  if (plan.seed != 0) writer.line("seed", std::to_string(plan.seed));
  writer.load(plan.load);
  writer.phases(plan.phases);
  if (plan.probe && plan.probe->every > Time{0})
    writer.line("every", option_text(plan.probe->every));
  if (plan.probe && plan.probe->for_time > Time{0})
    writer.line("for", option_text(plan.probe->for_time));
  if (plan.require_clean) writer.line("require-clean", "yes");
  if (plan.keep_objects) writer.line("keep-objects", "yes");
  if (!plan.primary.empty()) writer.line("primary", plan.primary);
  writer.line("threshold", percent_text(plan.threshold));
  writer.line("level", percent_text(plan.level));
  return writer.take();
}

}  // namespace radosload::study
