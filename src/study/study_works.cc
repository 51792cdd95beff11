// What is done in a cell, from the texts of a study: patterns with their lists and sweeps, suites,
// timers.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "radosload/units.h"

#include "base/suggest.h"
#include "plan/options.h"
#include "plan/patterns.h"
#include "plan/steps.h"
#include "plan/suites.h"
#include "study/study_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::study {

namespace {

tl::unexpected<Error> wrong_work(std::string subject, std::string reason, std::string hint = {}) {
  return fail({.attempt = "use",
               .subject = std::move(subject),
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

std::string pattern_text_of(const plan::PatternWords& words) {
  std::string text = words.name;
  for (const plan::Setting& setting : words.settings) {
    text += fmt::format(",{}={}", setting.key, setting.value);
  }
  return text;
}

// "1:4:16" as an axis; lists leave the pattern.
Result<std::vector<SweepAxis>> take_lists(plan::PatternWords& words) {
  std::vector<SweepAxis> axes;
  std::vector<plan::Setting> single;
  for (plan::Setting& setting : words.settings) {
    if (!plan::takes_list(setting.key) || setting.value.find(':') == std::string::npos) {
      single.push_back(std::move(setting));
      continue;
    }
    SweepAxis axis{.key = setting.key, .values = {}};
    std::string_view rest = setting.value;
    while (true) {
      const std::size_t colon = rest.find(':');
      axis.values.emplace_back(rest.substr(0, colon));
      if (axis.values.back().empty()) {
        return wrong_work(fmt::format("{}={}", setting.key, setting.value),
                          "a value of the list is empty", "write lists as 1:4:16");
      }
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
    axes.push_back(std::move(axis));
  }
  words.settings = std::move(single);
  return axes;
}

// Each step is a pattern; how long it takes is the study's to say, as for any other.
Result<std::vector<Work>> suite_works(const plan::Suite& suite, const std::string& name,
                                      const std::vector<std::string>& words) {
  plan::Request request;
  request.plan.target = TargetKind::null;
  request.pattern = words.front();
  RADOSLOAD_TRY(plan::expand(request));
  RADOSLOAD_ASSIGN(const auto own, plan::split_pattern(words.front()));
  std::vector<Work> works;
  for (const plan::SuiteStep& step : suite.steps) {
    RADOSLOAD_ASSIGN(auto pattern, plan::split_pattern(step.pattern));
    pattern.settings = plan::merge(std::move(pattern.settings), own.settings);
    Work work{.what = Work::What::pattern, .name = name, .words = words};
    for (const plan::Setting& place : step.place) work.name += " " + place.value;
    work.words.front() = pattern_text_of(pattern);
    works.push_back(std::move(work));
  }
  return works;
}

// ---- sweeps ----

bool is_beside_patterns(std::string_view key) {
  return key == "rate" || key == "clients";
}

Status check_axis(const SweepAxis& axis) {
  if (axis.values.empty()) {
    return wrong_work(axis.key, "it has no values", fmt::format("write {}: [1, 4, 16]", axis.key));
  }
  const std::set<std::string> different(axis.values.begin(), axis.values.end());
  if (different.size() != axis.values.size()) {
    return wrong_work(axis.key, "a value is in the list twice", "name each value once");
  }
  std::vector<std::string_view> known = {"rate", "clients"};
  for (const plan::KeyHelp& key : plan::pattern_keys()) known.push_back(key.key);
  if (std::find(known.begin(), known.end(), axis.key) != known.end()) return {};
  return wrong_work(axis.key, "patterns have no key of that name", values_hint(axis.key, known));
}

Status set_axis(Work& work, const std::string& key, const std::string& value) {
  work.name += fmt::format(" {}={}", key, value);
  if (!is_beside_patterns(key)) {
    RADOSLOAD_ASSIGN(auto pattern, plan::split_pattern(work.words.front()));
    const std::vector<plan::Setting> setting = {{key, value}};
    pattern.settings = plan::merge(std::move(pattern.settings), setting);
    work.words.front() = pattern_text_of(pattern);
    return {};
  }
  RADOSLOAD_ASSIGN(const auto option, run_option(key, value));
  std::vector<std::string> words = {work.words.front()};
  const std::span<const std::string> options(work.words);
  for (const auto& other : one_by_one(options.subspan(1))) {
    if (option_name(other.front()) == key) continue;
    words.insert(words.end(), other.begin(), other.end());
  }
  words.insert(words.end(), option.begin(), option.end());
  work.words = std::move(words);
  return {};
}

// ---- timers ----

struct TimerOption {
  std::string_view timer;  // empty: of all
  std::string_view name;
  std::string_view value;  // what it takes; empty: a switch
  bool in_name = true;     // other figures come of it, so it belongs to the metric's name
};
constexpr std::array<TimerOption, 7> timer_options = {{
    {"scrub", "--deep", "", true},
    {"bench", "--bs", "SIZE", true},
    {"bench", "--bytes", "SIZE", true},
    {"peering", "--restart-cmd", "CMD", false},
    {"peering", "--how", "down", false},
    {"peering", "--offline-pools", "POOLS", false},
    {"", "--limit", "TIME", false},
}};
constexpr std::array<std::string_view, 4> timer_names = {"scrub", "peering", "compact", "bench"};

Result<const TimerOption*> timer_option(const std::string& timer, const std::string& word) {
  std::vector<std::string_view> known;
  for (const TimerOption& option : timer_options) {
    if (!option.timer.empty() && option.timer != timer) continue;
    if (option.name == word) return &option;
    known.push_back(option.name);
  }
  return wrong_work(fmt::format("{} {}", timer, word), "the timer has no such option",
                    values_hint(word, known));
}

Status check_timer_value(const TimerOption& option, const std::string& value) {
  const std::string shown = fmt::format("{} {}", option.name, value);
  if (option.value == "SIZE") {
    const auto bytes = parse_bytes(value);
    if (!bytes) return wrong_work(shown, bytes.error().reason, bytes.error().hint);
  } else if (option.value == "TIME") {
    const auto time = parse_duration(value);
    if (!time) return wrong_work(shown, time.error().reason, time.error().hint);
    if (*time <= Time{0}) return wrong_work(shown, "it must be longer than 0 s");
  } else if (option.value == "down" && value != "down") {
    return wrong_work(shown, "unknown value", "write --how down");
  } else if (option.value == "CMD" && value.find("{osd}") == std::string::npos) {
    return wrong_work(shown, "it has no {osd} for the number of the OSD",
                      "for example 'ceph orch daemon restart osd.{osd}'");
  }
  return {};
}

Status check_timer_name(const std::string& timer) {
  if (std::find(timer_names.begin(), timer_names.end(), timer) != timer_names.end()) return {};
  if (timer == "backfill") {
    return wrong_work(timer, "a study cannot time backfill, which is not of a single OSD",
                      "leave it out; 'radosload time backfill' watches it");
  }
  return wrong_work(fmt::format("'{}'", timer), "there is no timer of that name",
                    values_hint(timer, timer_names));
}

}  // namespace

Result<std::vector<Work>> pattern_works(const std::string& name, const std::string& text) {
  RADOSLOAD_ASSIGN(auto words, split_words(text));
  if (words.empty()) {
    return wrong_work("", "a pattern is missing",
                      "for example randwrite4k; 'radosload patterns' lists them");
  }
  RADOSLOAD_ASSIGN(const auto options,
                   run_options(std::vector<std::string>(words.begin() + 1, words.end())));
  RADOSLOAD_ASSIGN(auto pattern, plan::split_pattern(words.front()));
  words.resize(1);
  words.insert(words.end(), options.begin(), options.end());
  if (const plan::Suite* const suite = plan::find_suite(pattern.name)) {
    return suite_works(*suite, name.empty() ? words_text(words) : name, words);
  }
  RADOSLOAD_ASSIGN(const auto lists, take_lists(pattern));
  words.front() = pattern_text_of(pattern);
  // With a list its key may be what makes the pattern valid.
  if (lists.empty()) RADOSLOAD_TRY(plan::parse_pattern(words.front()));
  const std::string base = name.empty() ? words_text(words) : name;
  return swept({{.what = Work::What::pattern, .name = base, .words = words}}, lists);
}

Result<Work> timer_work(const std::string& name, const std::string& text) {
  RADOSLOAD_ASSIGN(auto words, split_words(text));
  if (words.empty()) return wrong_work("", "a timer is missing", values_hint("", timer_names));
  const std::string& timer = words.front();
  RADOSLOAD_TRY(check_timer_name(timer));
  Work work{.what = Work::What::timer, .name = timer, .words = {timer}};
  std::set<std::string_view> seen;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = std::min(words[i].find('='), words[i].size());
    RADOSLOAD_ASSIGN(const TimerOption* option, timer_option(timer, words[i].substr(0, equals)));
    if (!seen.insert(option->name).second)
      return wrong_work(std::string(option->name), "it is given twice", "leave out one");
    work.words.emplace_back(option->name);
    if (option->in_name) work.name += fmt::format(" {}", option->name);
    if (option->value.empty()) continue;
    std::string value;
    if (equals < words[i].size()) {
      value = words[i].substr(equals + 1);
    } else if (i + 1 < words.size()) {
      value = words[++i];
    }
    RADOSLOAD_TRY(check_timer_value(*option, value));
    if (option->in_name) work.name += " " + value;
    work.words.push_back(value);
  }
  if (timer == "peering" && seen.contains("--restart-cmd") == seen.contains("--how")) {
    return wrong_work(timer, "it needs either --restart-cmd or --how down",
                      "for example peering --how down");
  }
  if (!name.empty()) work.name = name;
  return work;
}

Result<std::vector<Work>> swept(const std::vector<Work>& patterns,
                                const std::vector<SweepAxis>& axes) {
  std::vector<Work> works = patterns;
  for (const SweepAxis& axis : axes) {
    RADOSLOAD_TRY(check_axis(axis));
    std::vector<Work> more;
    if (works.size() * axis.values.size() > most_works) {
      return wrong_work(axis.key,
                        fmt::format("it makes more than {} patterns, the limit", most_works),
                        "leave out values, or split the study");
    }
    for (const Work& work : works) {
      for (const std::string& value : axis.values) {
        more.push_back(work);
        RADOSLOAD_TRY(set_axis(more.back(), axis.key, value));
      }
    }
    works = std::move(more);
  }
  // Not before: a size may need the object size that comes after it.
  if (!axes.empty()) {
    for (const Work& work : works) RADOSLOAD_TRY(plan::parse_pattern(work.words.front()));
  }
  return works;
}

}  // namespace radosload::study
