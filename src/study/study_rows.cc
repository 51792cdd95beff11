#include "study/study_rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "radosload/printable.h"
#include "radosload/units.h"

#include "base/suggest.h"
#include "plan/arrival_text.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

constexpr double per_cent = 100;
constexpr unsigned most_rounds = 10'000;
constexpr std::size_t most_entries = 50;
constexpr std::size_t longest_name = 200;

using Kind = YamlNode::Kind;

Result<std::string> scalar_of(const YamlNode& node, const Reading& reading) {
  if (node.kind == Kind::scalar) return node.text;
  return reading.refuse(node,
                        node.kind == Kind::empty
                            ? fmt::format("{} has no value", printable(node.key))
                            : fmt::format("{} takes one value", printable(node.key)),
                        fmt::format("write {}: VALUE", printable(node.key)));
}

std::string without_end(std::string text) {
  text.erase(text.find_last_not_of(" \n\t") + 1);
  return text;
}

Result<std::uint64_t> number_of(const YamlNode& node, const Reading& reading) {
  RADOSLOAD_ASSIGN(const auto text, scalar_of(node, reading));
  const auto number = parse_count(text);
  if (!number) return reading.pass_on(node.line, node.key, number.error());
  return *number;
}

Result<Time> duration_of(const YamlNode& node, const Reading& reading) {
  RADOSLOAD_ASSIGN(const auto text, scalar_of(node, reading));
  const auto time = parse_duration(text);
  if (!time) return reading.pass_on(node.line, node.key, time.error());
  if (*time > Time{0}) return *time;
  return reading.refuse(node, fmt::format("{} must be longer than 0 s", node.key));
}

// "5%" or 0.05; nothing for any other text.
std::optional<double> share_of(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return percent ? value / per_cent : value;
}

struct Limits {
  double least;
  double most;
};
Result<double> share_within(const YamlNode& node, const Reading& reading, Limits limits) {
  RADOSLOAD_ASSIGN(const auto text, scalar_of(node, reading));
  const auto share = share_of(text);
  if (share && *share >= limits.least && *share <= limits.most) return *share;
  return reading.refuse(
      node,
      fmt::format("{} is from {}% to {}%, and this is '{}'", node.key, limits.least * per_cent,
                  limits.most * per_cent, printable(text)),
      "write percent, as in 5%");
}

// The entries of a map, or of a list whose entries are their own names.
Status each_entry(Draft& draft, const YamlNode& node, const Reading& reading, bool list_too) {
  if (node.kind != Kind::map && !(list_too && node.kind == Kind::list)) {
    return reading.refuse(node, fmt::format("{} is not a {}", node.key, list_too ? "list" : "map"),
                          list_too ? fmt::format("write {}: [A, B]", node.key)
                                   : fmt::format("write lines NAME: OPTIONS below {}", node.key));
  }
  if (node.items.size() > most_entries) {
    return reading.refuse(
        node, fmt::format("{} has more than {} entries, the limit", node.key, most_entries),
        "split the study");
  }
  for (const YamlNode& entry : node.items) {
    RADOSLOAD_TRY(set_entry(draft, node.key, entry, reading));
  }
  return {};
}

// ---- the keys ----

Status read_name(Draft& draft, const YamlNode& node, const Reading& reading) {
  RADOSLOAD_ASSIGN(const auto text, scalar_of(node, reading));
  RADOSLOAD_TRY(check_name(node, text, reading));
  draft.plan.name = text;
  return {};
}

Status read_question(Draft& draft, const YamlNode& node, const Reading& reading) {
  RADOSLOAD_ASSIGN(const auto text, scalar_of(node, reading));
  draft.plan.question = without_end(text);
  return {};
}

Status read_arms(Draft& draft, const YamlNode& node, const Reading& reading) {
  draft.plan.arms.clear();
  return each_entry(draft, node, reading, false);
}

Status read_patterns(Draft& draft, const YamlNode& node, const Reading& reading) {
  draft.patterns.clear();
  return each_entry(draft, node, reading, true);
}

Status read_timers(Draft& draft, const YamlNode& node, const Reading& reading) {
  draft.timers.clear();
  return each_entry(draft, node, reading, true);
}

Status read_sweep(Draft& draft, const YamlNode& node, const Reading& reading) {
  if (node.kind != Kind::map) {
    return reading.refuse(node, "sweep is not a map", "write sweep: {qd: [1, 16, 64]}");
  }
  draft.sweep.clear();
  draft.sweep_line = node.line;
  for (const YamlNode& entry : node.items) {
    SweepAxis axis{.key = entry.key, .values = {}};
    if (entry.kind != Kind::list) {
      return reading.refuse(entry, fmt::format("{} is not a list", printable(entry.key)),
                            fmt::format("write {}: [1, 16, 64]", printable(entry.key)));
    }
    for (const YamlNode& value : entry.items) {
      if (value.kind != Kind::scalar)
        return reading.refuse(value, fmt::format("{} is not a list of values", entry.key));
      axis.values.push_back(value.text);
    }
    draft.sweep.push_back(std::move(axis));
  }
  return {};
}

Status read_options(Draft& draft, const YamlNode& node, const Reading& reading) {
  draft.plan.options.clear();
  if (node.kind == Kind::map) return each_entry(draft, node, reading, false);
  RADOSLOAD_ASSIGN(const auto text, scalar_of(node, reading));
  const auto words = split_words(text);
  if (!words) return reading.pass_on(node.line, node.key, words.error());
  auto options = run_options(*words);
  if (!options) return reading.pass_on(node.line, node.key, options.error());
  draft.plan.options = *std::move(options);
  return {};
}

Status read_rounds(Draft& draft, const YamlNode& node, const Reading& reading) {
  RADOSLOAD_ASSIGN(const auto rounds, number_of(node, reading));
  if (rounds == 0 || rounds > most_rounds) {
    return reading.refuse(node, fmt::format("rounds is from 1 to {}", most_rounds),
                          "10 are usual; 5 are the fewest for a verdict of one kind of OSD");
  }
  draft.plan.rounds = static_cast<unsigned>(rounds);
  return {};
}

Status read_order(Draft& draft, const YamlNode& node, const Reading& reading) {
  constexpr std::array<std::string_view, 3> names = {"shuffled", "abba", "listed"};
  RADOSLOAD_ASSIGN(const auto text, scalar_of(node, reading));
  const auto* const found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) {
    return reading.refuse(node, fmt::format("order: there is no order '{}'", printable(text)),
                          values_hint(text, names));
  }
  draft.plan.order = static_cast<Order>(found - names.begin());
  draft.names_order = true;
  return {};
}

Status read_seed(Draft& draft, const YamlNode& node, const Reading& reading) {
  RADOSLOAD_ASSIGN(draft.plan.seed, number_of(node, reading));
  return {};
}

Status read_load(Draft& draft, const YamlNode& node, const Reading& reading) {
  if (node.kind == Kind::map) {
    if (node.items.empty()) return reading.refuse(node, "load has no value", "write load: closed");
    return each_entry(draft, node, reading, false);
  }
  YamlNode rate = node;
  rate.key = "rate";
  return set_entry(draft, "load", rate, reading);
}

Status read_phases(Draft& draft, const YamlNode& node, const Reading& reading) {
  draft.plan.phases.clear();
  return each_entry(draft, node, reading, true);
}

Probe& probe_of(Draft& draft) {
  if (!draft.plan.probe) draft.plan.probe.emplace();
  return *draft.plan.probe;
}

Status read_every(Draft& draft, const YamlNode& node, const Reading& reading) {
  RADOSLOAD_ASSIGN(const Time every, duration_of(node, reading));
  probe_of(draft).every = every;
  return {};
}

Status read_for(Draft& draft, const YamlNode& node, const Reading& reading) {
  RADOSLOAD_ASSIGN(const Time time, duration_of(node, reading));
  probe_of(draft).for_time = time;
  return {};
}

Status read_switch(bool& on, const YamlNode& node, const Reading& reading) {
  RADOSLOAD_ASSIGN(const auto text, scalar_of(node, reading));
  const auto parsed = parse_switch(text);
  if (!parsed) return reading.refuse(node, node.key + " is a switch", "write yes or no");
  on = *parsed;
  return {};
}

Status read_require_clean(Draft& draft, const YamlNode& node, const Reading& reading) {
  return read_switch(draft.plan.require_clean, node, reading);
}

Status read_keep_objects(Draft& draft, const YamlNode& node, const Reading& reading) {
  return read_switch(draft.plan.keep_objects, node, reading);
}

Status read_primary(Draft& draft, const YamlNode& node, const Reading& reading) {
  RADOSLOAD_ASSIGN(draft.plan.primary, scalar_of(node, reading));
  return {};
}

Status read_threshold(Draft& draft, const YamlNode& node, const Reading& reading) {
  RADOSLOAD_ASSIGN(draft.plan.threshold, share_within(node, reading, {.least = 0.001, .most = 1}));
  return {};
}

Status read_level(Draft& draft, const YamlNode& node, const Reading& reading) {
  RADOSLOAD_ASSIGN(draft.plan.level, share_within(node, reading, {.least = 0.5, .most = 0.9999}));
  return {};
}

constexpr std::array<StudyRow, 19> all_rows = {{
    {{"name", "NAME", "name of the study [that of the file]"}, read_name},
    {{"question", "TEXT", "what the study is to answer; reports begin with it"}, read_question},
    {{"arms", "{NAME: OPTIONS}",
      "what is compared: options of 'radosload run' that lead to it, as in '--pool hdd --osd 0-3'. "
      "The first arm is the base. Each OSD of --osd is a unit that is measured by itself; without "
      "--osd the pool or image is the unit"},
     read_arms},
    {{"patterns", "[PATTERN, ...] or {NAME: PATTERN}",
      "loads, as --pattern takes them, and options that hold for this load alone: "
      "'randwrite4k,qd=16 "
      "--clients 2'. Metrics begin with the name: 'randwrite4k IOPS'. A suite or a list of values "
      "(qd=1:16) makes several"},
     read_patterns},
    {{"timers", "[TIMER, ...] or {NAME: TIMER}",
      "what 'radosload time' measures on each OSD: scrub, peering, compact or bench, with its "
      "options: 'scrub --deep', 'peering --how down'"},
     read_timers},
    {{"sweep", "{KEY: [VALUE, ...]}",
      "each pattern at every combination of these values; KEY is a key of patterns, rate or "
      "clients"},
     read_sweep},
    {{"options", "{OPTION: VALUE} or TEXT",
      "options of every run by their long names: 'time: 10s', 'warmup: auto', 'observer-id: "
      "admin'"},
     read_options},
    {{"rounds", "N", "how often every unit is measured under every load [10]"}, read_rounds},
    {{"order", "shuffled|abba|listed",
      "of the units in a round: at random; in turns A B B A or B A A B, drawn (two arms); or as "
      "listed [two arms: abba, else shuffled]"},
     read_order},
    {{"seed", "N", "of the order; the same seed gives the same schedule [0: drawn, and kept]"},
     read_seed},
    {{"load", "closed or {rate: RATE|PERCENT}",
      "closed: at the queue depth of the pattern. rate: 500/s, or 60% of the capacity of the "
      "slowest "
      "arm, which is found first [closed]"},
     read_load},
    {{"phases", "[NAME, ...] or {NAME: COMMAND}",
      "states of the cluster, such as before and after a change; each unit is compared with "
      "itself. "
      "COMMAND makes the state; without one you make it, and name it with --phase"},
     read_phases},
    {{"every", "TIME", "probe: repeat the round this often; hours are the rounds. Needs 'for'"},
     read_every},
    {{"for", "TIME", "probe: for this long. Needs 'every'"}, read_for},
    {{"require-clean", "yes|no", "repeat contaminated cells too, not only void ones [no]"},
     read_require_clean},
    {{"keep-objects", "yes|no",
      "the same objects in all rounds: saves the time of writing them again, but the luck of their "
      "placement then belongs to the arm [no: new ones in each round]"},
     read_keep_objects},
    {{"primary", "METRIC",
      "the metric that is tested first, at the full level: 'randwrite4k IOPS' [none: all share the "
      "level]"},
     read_primary},
    {{"threshold", "PERCENT", "smaller changes do not matter [5%]"}, read_threshold},
    {{"level", "PERCENT", "confidence of all verdicts together [95%]"}, read_level},
}};

}  // namespace

std::span<const StudyRow> study_rows() {
  return all_rows;
}

std::span<const StudyKey> study_keys() {
  static const std::vector<StudyKey> keys = [] {
    std::vector<StudyKey> all;
    for (const StudyRow& row : study_rows()) all.push_back(row.help);
    return all;
  }();
  return keys;
}

const StudyRow* find_row(std::string_view key) {
  const auto rows = study_rows();
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const StudyRow& row) { return row.help.key == key; });
  return found == rows.end() ? nullptr : &*found;
}

tl::unexpected<Error> unknown_key(const YamlNode& node, const Reading& reading) {
  std::vector<std::string_view> known;
  for (const StudyRow& row : study_rows()) known.push_back(row.help.key);
  const std::string near = did_you_mean(node.key, known);
  return reading.refuse(node, fmt::format("there is no key '{}'", printable(node.key)),
                        near.empty() ? "'radosload help studies' lists the keys" : near);
}

Status check_name(const YamlNode& node, const std::string& name, const Reading& reading) {
  if (name.empty()) return reading.refuse(node, "a name is empty", "write NAME: VALUE");
  if (name.size() > longest_name)
    return reading.refuse(node,
                          fmt::format("a name has more than {} bytes, the limit", longest_name));
  if (name.find('\n') != std::string::npos || name.find('\t') != std::string::npos)
    return reading.refuse(node, "a name has a line break or a tab", "write it in one line");
  return {};
}

}  // namespace radosload::study
