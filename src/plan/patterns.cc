#include "plan/patterns.h"

#include <algorithm>

#include "base/suggest.h"
#include "plan/pattern_keys.h"
#include "plan/suites.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

constexpr std::string_view all_listed = "'radosload patterns' lists patterns and keys";
constexpr std::string_view no_list =
    "dist takes no list of values: the colon belongs to zipf:THETA";

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

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known) {
  const std::string_view nearest = nearest_word(word, known);
  if (nearest.empty()) return std::string(all_listed);
  return fmt::format("did you mean {}? {}", nearest, all_listed);
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
    return refused(
        fmt::format("the pattern '{}'", name),
        fmt::format("it is a suite of {} runs, and one is wanted here", suite->steps.size()));
  }
  return refused(fmt::format("the pattern '{}'", name), "there is none of that name",
                 did_you_mean(name, known));
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
      return refused(fmt::format("'{}'", word), "after the name come key=value pairs",
                     std::string(all_listed));
    }
    Setting setting{std::string(word.substr(0, equals)), std::string(word.substr(equals + 1))};
    const auto same = [&](const Setting& other) { return other.key == setting.key; };
    if (std::any_of(settings.begin(), settings.end(), same)) {
      return refused(fmt::format("'{}'", word), fmt::format("{} is given twice", setting.key));
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
                     fmt::format("another setting contradicts it: {} works on whole objects, so bs "
                                 "and object-size are the same",
                                 pattern.name),
                     "give one of the two, or build the pattern from rand or seq");
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
  if (pattern.block_size.count == 0) return refused("bs=0", "an operation moves at least one byte");
  if (pattern.block_size > largest_block) {
    return refused("bs=" + bs, "one operation moves at most 1G",
                   "OSDs refuse more than osd_max_write_size (90M) anyway");
  }
  if (pattern.block_size > pattern.object_size) {
    return refused("bs=" + bs,
                   fmt::format("an operation does not fit an object of {}", object_size),
                   fmt::format("give object-size={} or more as well", bs));
  }
  if (pattern.working_set < pattern.object_size) {
    return refused(
        "size=" + option_text(pattern.working_set),
        fmt::format("it is less than one object of {}", object_size),
        fmt::format("give object-size={} or less as well", option_text(pattern.working_set)));
  }
  if (pattern.flush_each_write && !pattern.writes_data()) {
    return refused("flush=yes", "a pattern of nothing but reads has nothing to flush");
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
                   fmt::format("the number of objects goes from 1 to {}", most_objects));
  }
  if (pattern.object_size > largest_object) {
    return refused("object-size=" + option_text(pattern.object_size), "1G is the most");
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
    return refused(what, fmt::format("there is no key '{}'", key), did_you_mean(key, names));
  }
  if (!known->applies(pattern)) {
    return refused(what,
                   fmt::format("{} means nothing to {}: {}", key, pattern.name, known->why_not));
  }
  if (key != "dist" && value.find(':') != std::string_view::npos) {
    return refused(what, "one value is wanted here, and no list");
  }
  Pattern changed = pattern;
  if (std::string wrong = known->set(changed, value); !wrong.empty()) {
    return refused(what, std::move(wrong), looks_like_list(key, value) ? std::string(no_list) : "");
  }
  pattern = std::move(changed);
  return {};
}

Status check(const Pattern& pattern) {
  const bool zipf = pattern.distribution.law == Distribution::Law::zipf;
  if (zipf && pattern.access == Access::sequential) {
    return refused("dist=zipf", "sequential access takes every block in turn and draws none",
                   "give access=rand as well, or leave dist out");
  }
  if (pattern.cache == CacheMode::bypass && !pattern.is_data()) {
    return refused(
        "cache=bypass",
        fmt::format("OSDs take that advice for data only, and {} is metadata", pattern.name),
        "cache=drop empties the caches before the run");
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
