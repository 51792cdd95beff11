// Single entries of the maps of a study: one arm, one pattern, one option. The file's reader comes
// here for each entry, and --set for one.
#include <algorithm>
#include <charconv>
#include <utility>

#include "radosload/printable.h"

#include "base/suggest.h"
#include "plan/arrival_text.h"
#include "study/study_rows.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

using EntryKind = YamlNode::Kind;

// The text of an entry; a list of words is joined.
Result<std::string> entry_text(const YamlNode& entry, const Reading& reading) {
  if (entry.kind == EntryKind::scalar) return entry.text;
  std::vector<std::string> words;
  for (const YamlNode& word : entry.items) {
    if (entry.kind != EntryKind::list || word.kind != EntryKind::scalar) {
      return reading.refuse(word, fmt::format("{} is not a text", printable(entry.key)),
                            "write options as one text, or as a list of words");
    }
    words.push_back(word.text);
  }
  return words_text(words);
}

template <typename T>
void replace_or_add(std::vector<T>& all, T one) {
  const auto same =
      std::find_if(all.begin(), all.end(), [&](const T& other) { return other.name == one.name; });
  if (same == all.end()) {
    all.push_back(std::move(one));
  } else {
    *same = std::move(one);
  }
}

Status set_arm(Draft& draft, const YamlNode& entry, const Reading& reading) {
  RADOSLOAD_TRY(check_name(entry, entry.key, reading));
  if (entry.key.find('=') != std::string::npos)
    return reading.refuse(entry, "the name of an arm has a '='", "leave it out");
  const std::string where = fmt::format("arm {}", printable(entry.key));
  RADOSLOAD_ASSIGN(const auto text, entry_text(entry, reading));
  const auto words = split_words(text);
  if (!words) return reading.pass_on(entry.line, where, words.error());
  auto options = run_options(*words);
  if (!options) return reading.pass_on(entry.line, where, options.error());
  replace_or_add(draft.plan.arms, {.name = entry.key, .options = *std::move(options)});
  return {};
}

Status set_works(std::vector<Work>& all, const YamlNode& entry, const Reading& reading,
                 std::vector<Work> works) {
  for (Work& work : works) {
    RADOSLOAD_TRY(check_name(entry, work.name, reading));
    replace_or_add(all, std::move(work));
  }
  if (all.size() <= most_works) return {};
  return reading.refuse(entry, fmt::format("there are more than {} loads, the limit", most_works),
                        "split the study");
}

Status set_pattern(Draft& draft, const YamlNode& entry, const Reading& reading) {
  RADOSLOAD_ASSIGN(const auto text, entry_text(entry, reading));
  auto works = pattern_works(entry.key, text);
  if (!works) return reading.pass_on(entry.line, "patterns", works.error());
  return set_works(draft.patterns, entry, reading, *std::move(works));
}

Status set_timer(Draft& draft, const YamlNode& entry, const Reading& reading) {
  RADOSLOAD_ASSIGN(const auto text, entry_text(entry, reading));
  auto work = timer_work(entry.key, text);
  if (!work) return reading.pass_on(entry.line, "timers", work.error());
  return set_works(draft.timers, entry, reading, {*std::move(work)});
}

Status set_phase(Draft& draft, const YamlNode& entry, const Reading& reading) {
  const bool named = !entry.key.empty();
  if (entry.kind != EntryKind::scalar && !(named && entry.kind == EntryKind::empty)) {
    return reading.refuse(entry, "a phase is a name, or NAME: COMMAND",
                          "write phases: [before, after]");
  }
  Phase phase{.name = named ? entry.key : entry.text, .command = named ? entry.text : ""};
  phase.command.erase(phase.command.find_last_not_of(" \n\t") + 1);
  RADOSLOAD_TRY(check_name(entry, phase.name, reading));
  replace_or_add(draft.plan.phases, std::move(phase));
  return {};
}

Result<std::vector<std::string>> option_words(const YamlNode& entry, const Reading& reading) {
  if (entry.kind == EntryKind::scalar) return run_option(entry.key, entry.text);
  std::vector<std::string> words;
  if (entry.kind != EntryKind::list || entry.items.empty())
    return reading.refuse(entry, fmt::format("options: {} has no value", printable(entry.key)));
  for (const YamlNode& value : entry.items) {
    if (value.kind != EntryKind::scalar)
      return reading.refuse(value, fmt::format("options: {} is not a text", printable(entry.key)));
    words.push_back(fmt::format("--{}={}", entry.key, value.text));
  }
  return run_options(words);
}

// In the place of what was given before.
Status set_run_option(Draft& draft, const YamlNode& entry, const Reading& reading) {
  const auto words = option_words(entry, reading);
  if (!words && words.error().subject.starts_with(reading.subject)) return fail(words.error());
  if (!words) return reading.pass_on(entry.line, "options", words.error());
  const std::string name = option_name(words->front());
  std::vector<std::string> options;
  bool placed = false;
  const auto place = [&] {
    if (!std::exchange(placed, true)) options.insert(options.end(), words->begin(), words->end());
  };
  for (const auto& other : one_by_one(draft.plan.options)) {
    if (option_name(other.front()) == name) {
      place();
    } else {
      options.insert(options.end(), other.begin(), other.end());
    }
  }
  place();
  draft.plan.options = std::move(options);
  return {};
}

Status set_load(Draft& draft, const YamlNode& entry, const Reading& reading) {
  constexpr double whole = 100;
  if (entry.key != "rate") {
    return reading.refuse(entry, fmt::format("load has no key '{}'", printable(entry.key)),
                          "write load: closed, load: {rate: 500/s} or load: {rate: 60%}");
  }
  if (entry.kind != EntryKind::scalar)
    return reading.refuse(entry, "rate takes one value", "write load: {rate: 500/s}");
  const std::string_view text = entry.text;
  draft.plan.load = {};
  if (text == "closed") return {};
  if (!text.ends_with('%')) {
    const auto arrival = plan::parse_arrival(text);
    if (!arrival) return reading.pass_on(entry.line, "load", arrival.error());
    draft.plan.load.rate = text;
    return {};
  }
  double percent = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto read = std::from_chars(text.data(), end, percent, std::chars_format::fixed);
  if (read.ec != std::errc() || read.ptr != end || !(percent >= 1) || percent > whole) {
    return reading.refuse(entry,
                          fmt::format("load: '{}' is not a share from 1% to 100%", printable(text)),
                          "60% of the capacity of the slowest arm is usual");
  }
  draft.plan.load.capacity_share = percent / whole;
  return {};
}

}  // namespace

Status set_entry(Draft& draft, const std::string& key, const YamlNode& entry,
                 const Reading& reading) {
  if (key == "arms") return set_arm(draft, entry, reading);
  if (key == "patterns") return set_pattern(draft, entry, reading);
  if (key == "timers") return set_timer(draft, entry, reading);
  if (key == "phases") return set_phase(draft, entry, reading);
  if (key == "options") return set_run_option(draft, entry, reading);
  if (key == "load") return set_load(draft, entry, reading);
  return reading.refuse(entry, fmt::format("{} has no entries", printable(key)),
                        "entries are those of arms, patterns, timers, phases, options and load");
}

}  // namespace radosload::study
