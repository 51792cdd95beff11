#include "plan/patterns.h"

#include <algorithm>
#include <array>

#include "base/suggest.h"
#include "plan/limits.h"
#include "plan/pattern_keys.h"
#include "plan/suites.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

constexpr std::string_view all_listed = "'radosload patterns' lists patterns and keys";
constexpr std::string_view no_list =
    "dist takes no list of values, because zipf:THETA has a colon of its own";

// The one key that cannot be swept over, tried all the same: uniform:zipf, zipf:0.9:1.1.
bool looks_like_list(std::string_view key, std::string_view value) {
  const std::size_t colon = value.find(':');
  if (key != "dist" || colon == std::string_view::npos) return false;
  return value.find(':', colon + 1) != std::string_view::npos || !value.starts_with("zipf:");
}

tl::unexpected<Error> refused(std::string_view what, std::string reason, std::string hint = {}) {
  return fail({.attempt = "use",
               .subject = std::string(what),
               .reason = std::move(reason),
               .hint = std::move(hint),
               .errnum = 0,
               .exit = Exit::usage});
}

std::string suggestion(std::string_view word, const std::vector<std::string_view>& known) {
  const std::string near = did_you_mean(word, known);
  return near.empty() ? std::string(all_listed) : fmt::format("{} {}", near, all_listed);
}

// What fio calls some loads.
struct OtherPattern {
  std::string_view name;
  std::string_view ours;
};
constexpr std::array<OtherPattern, 9> other_patterns = {{
    {"read", "seq,read=100"},
    {"write", "seq,read=0"},
    {"rw", "seq,read=50"},
    {"readwrite", "seq,read=50"},
    {"randread", "randread4k"},
    {"randwrite", "randwrite4k"},
    {"randrw", "randrw4k"},
    {"seqread", "seq,read=100"},
    {"seqwrite", "seq,read=0"},
}};

std::string hint_for_unknown(std::string_view name, const std::vector<std::string_view>& known) {
  const auto* const other = std::find_if(other_patterns.begin(), other_patterns.end(),
                                         [&](const OtherPattern& one) { return one.name == name; });
  if (other == other_patterns.end()) return suggestion(name, known);
  return fmt::format("write --pattern {}; {}", other->ours, all_listed);
}

Result<Pattern> defaults_of(std::string_view name) {
  if (name.empty() || name.find('=') != std::string_view::npos) {
    return refused(fmt::format("the pattern '{}'", name), "a pattern begins with a name",
                   "for a pattern of your own begin with rand or seq: rand,read=30,bs=16k");
  }
  const NamedPattern* const found = find_pattern(name);
  if (found != nullptr) return found->defaults;
  std::vector<std::string_view> known;
  for (const NamedPattern& named : catalogue()) known.emplace_back(named.defaults.name);
  for (const Suite& suite : suites()) known.emplace_back(suite.name);
  if (const Suite* const suite = find_suite(name)) {
    return refused(fmt::format("the pattern '{}'", name),
                   fmt::format("it is a suite of {} runs, and this command takes one run",
                               suite->steps.size()),
                   std::string(all_listed));
  }
  return refused(fmt::format("the pattern '{}'", name), "there is no pattern of that name",
                 hint_for_unknown(name, known));
}

// The word after a comma has no '=': perhaps the next value of a list.
std::string hint_for_bare_word(const std::vector<Setting>& before, std::string_view word) {
  if (before.empty() || word.empty()) return std::string(all_listed);
  const Setting& last = before.back();
  return colons_hint(last.key + "=", fmt::format("{},{}", last.value, word));
}

// The words after the name.
Result<std::vector<Setting>> split_settings(std::string_view text) {
  std::vector<Setting> settings;
  while (!text.empty()) {
    text.remove_prefix(1);  // the comma
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(word.size());
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return refused(fmt::format("'{}'", word), "after the pattern's name come key=value pairs",
                     hint_for_bare_word(settings, word));
    }
    Setting setting{std::string(word.substr(0, equals)), std::string(word.substr(equals + 1))};
    const auto same = [&](const Setting& other) { return other.key == setting.key; };
    if (std::any_of(settings.begin(), settings.end(), same)) {
      return refused(
          fmt::format("'{}'", word), fmt::format("the pattern has the key {} twice", setting.key),
          fmt::format("keep one of them; a list of values uses colons: {}=1:4", setting.key));
    }
    settings.push_back(std::move(setting));
  }
  return settings;
}

// Applying any of the settings once more must change nothing, or one has undone another (bs and
// object-size of patterns that work on whole objects).
Status check_agreement(const Pattern& pattern, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) {
    Pattern again = pattern;
    if (auto applied = apply(again, setting.key, setting.value); !applied) return applied;
    if (again != pattern) {
      return refused(fmt::format("{}={}", setting.key, setting.value),
                     fmt::format("{} reads and writes whole objects, so bs and object-size must "
                                 "be equal",
                                 pattern.name),
                     "give one of the two, or start from the pattern rand or seq");
    }
  }
  return {};
}

// What is wrong with a pattern of blocks (data, omap), beyond single keys.
Status check_blocks(const Pattern& pattern) {
  constexpr Bytes largest_block =
      gib(1);  // an Op's length has 32 bits; OSDs take 90 MiB by default
  const std::string bs = option_text(pattern.block_size);
  const std::string object_size = option_text(pattern.object_size);
  if (pattern.block_size.count == 0)
    return refused("bs=0", "an operation moves at least one byte", "give bs=1 or more");
  if (pattern.block_size > largest_block) {
    return refused("bs=" + bs, "an operation moves at most 1G",
                   "give less; OSDs refuse more than osd_max_write_size (90M by default)");
  }
  if (pattern.block_size > pattern.object_size) {
    return refused("bs=" + bs,
                   fmt::format("an operation does not fit an object of {}", object_size),
                   fmt::format("give object-size={} or more", bs));
  }
  if (pattern.working_set < pattern.object_size) {
    return refused("size=" + option_text(pattern.working_set),
                   fmt::format("it is less than one object of {}", object_size),
                   pattern.working_set.count == 0
                       ? fmt::format("give size={} or more", object_size)
                       : fmt::format("give object-size={} or less, or a larger size",
                                     option_text(pattern.working_set)));
  }
  if (pattern.flush_each_write && !pattern.writes_data()) {
    return refused("flush=yes", "the pattern only reads, so there is nothing to flush",
                   "leave flush out, or give read=99 or less");
  }
  return {};
}

// The same for patterns whose objects are counted.
Status check_counted(const Pattern& pattern) {
  constexpr std::uint64_t most_objects =
      1'000'000'000'000;                    // 100 times what the largest pools hold
  constexpr Bytes largest_object = gib(1);  // as bs: it is written beforehand
  if (pattern.objects == 0 || pattern.objects > most_objects) {
    return refused(fmt::format("objects={}", pattern.objects),
                   fmt::format("the number of objects is from 1 to {}", most_objects),
                   "give objects=N in that range");
  }
  if (pattern.object_size > largest_object) {
    return refused("object-size=" + option_text(pattern.object_size),
                   "an object of this pattern has at most 1G", "give object-size=1G or less");
  }
  if (pattern.directories() > most_directories) {
    return refused(fmt::format("entries={}", pattern.entries),
                   fmt::format("{} files need {} directories then; the limit is {}",
                               pattern.objects, pattern.directories(), most_directories),
                   "give more entries= or fewer objects=");
  }
  return {};
}

}  // namespace

std::span<const KeyHelp> pattern_keys() {
  static const std::vector<KeyHelp> help = [] {
    std::vector<KeyHelp> list;
    for (const Key& key : keys()) list.push_back(key.help);
    return list;
  }();
  return help;
}

Result<PatternWords> split_pattern(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(','));
  RADOSLOAD_ASSIGN(auto settings, split_settings(text.substr(name.size())));
  return PatternWords{std::string(name), std::move(settings)};
}

std::vector<Setting> merge(std::vector<Setting> settings, std::span<const Setting> options) {
  for (const Setting& option : options) {
    const auto same = [&](const Setting& setting) { return setting.key == option.key; };
    const auto found = std::find_if(settings.begin(), settings.end(), same);
    if (found == settings.end()) {
      settings.push_back(option);
    } else {
      found->value = option.value;
    }
  }
  return settings;
}

Status apply(Pattern& pattern, std::string_view key, std::string_view value) {
  const std::string what = fmt::format("{}={}", key, value);
  const Key* const known = find_key(key);
  if (known == nullptr) {
    std::vector<std::string_view> names;
    for (const Key& other : keys()) names.push_back(other.help.key);
    return refused(what, fmt::format("patterns have no key '{}'", key), suggestion(key, names));
  }
  if (!known->applies(pattern)) {
    return refused(what, fmt::format("{} has no key {}: {}", pattern.name, key, known->why_not),
                   fmt::format("leave it out; 'radosload patterns {}' shows the keys that it has",
                               pattern.name));
  }
  if (key != "dist" && value.find(':') != std::string_view::npos) {
    return refused(what, "it takes one value here, not a list", "give one value");
  }
  Pattern changed = pattern;
  if (Refusal wrong = known->set(changed, value); !wrong.empty()) {
    if (looks_like_list(key, value)) wrong.hint = no_list;
    if (value.find(',') != std::string_view::npos) {
      wrong.hint = colons_hint(fmt::format("{}=", key), value);
    }
    if (wrong.hint.empty()) wrong.hint = fmt::format("write {}={}", key, known->help.values);
    return refused(what, std::move(wrong.reason), std::move(wrong.hint));
  }
  pattern = std::move(changed);
  return {};
}

Status check(const Pattern& pattern) {
  const bool zipf = pattern.distribution.law == Distribution::Law::zipf;
  if (zipf && pattern.access == Access::sequential) {
    return refused("dist=zipf",
                   "sequential access uses every block in order, without a distribution",
                   "give access=rand, or leave dist out");
  }
  if (pattern.is_of_files() && pattern.cache == CacheMode::drop) {
    return refused("cache=drop", "it empties the caches of OSDs, and not those of clients and MDSs",
                   "use cache=bypass to read with a client that has nothing in its cache");
  }
  if (pattern.is_of_files() && pattern.cache == CacheMode::bypass && !pattern.reads_cold()) {
    return refused("cache=bypass", fmt::format("{} reads nothing", pattern.name),
                   "leave cache out");
  }
  if (pattern.cache == CacheMode::bypass && !pattern.is_data() && !pattern.is_of_files()) {
    return refused("cache=bypass",
                   fmt::format("OSDs follow it for data only, and {} is metadata", pattern.name),
                   "use cache=drop, which empties the caches before the run");
  }
  return pattern.is_data() || pattern.is_omap() ? check_blocks(pattern) : check_counted(pattern);
}

Result<Pattern> parse_pattern(std::string_view text, std::span<const Setting> options) {
  auto pattern = defaults_of(text.substr(0, text.find(',')));
  if (!pattern) return pattern;
  RADOSLOAD_ASSIGN(auto words, split_pattern(text));
  const std::vector<Setting> settings = merge(std::move(words.settings), options);
  for (const Setting& setting : settings) {
    RADOSLOAD_TRY(apply(*pattern, setting.key, setting.value));
  }
  RADOSLOAD_TRY(check_agreement(*pattern, settings));
  RADOSLOAD_TRY(check(*pattern));
  return pattern;
}

std::vector<Setting> describe(const Pattern& pattern) {
  std::vector<Setting> settings = {{"pattern", pattern.name}};
  for (const Key& key : keys()) {
    if (key.applies(pattern)) settings.push_back({std::string(key.help.key), key.get(pattern)});
  }
  return settings;
}

std::string pattern_text(const Pattern& pattern) {
  std::string text = pattern.name;
  for (const Key& key : keys()) {
    if (key.applies(pattern)) text += fmt::format(",{}={}", key.help.key, key.get(pattern));
  }
  return text;
}

}  // namespace radosload::plan
