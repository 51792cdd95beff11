#include "footprint/scratch_view.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "base/ceph_json.h"
#include "placement/osd_select.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::footprint {

namespace {

using ceph_json::id_of;
using ceph_json::Json;
using ceph_json::member;
using ceph_json::text;
using placement::Pool;

// Longer names than that are for people to choose.
constexpr std::size_t most_in_name = 6;
// Ceph's limit for a value in a pool's metadata.
constexpr std::size_t mark_limit = 128;

placement::CrushTake take_of(const Json& rule) {
  for (const Json& step : member(rule, "steps")) {
    if (text(step, "op") == "take") return placement::take_named(text(step, "item_name"));
  }
  return {};
}

bool belongs_to(std::string_view pgid, std::int64_t pool) {
  return pgid.starts_with(fmt::format("{}.", pool));
}

// Where the mark is, or would be. A pool with another application is foreign.
bool only_ours(const Pool& pool) {
  return std::all_of(pool.applications.begin(), pool.applications.end(),
                     [](const auto& one) { return one.first == scratch_application; });
}

std::string metadata(const Pool& pool, std::string_view key) {
  const auto ours = pool.applications.find(std::string(scratch_application));
  if (ours == pool.applications.end()) return {};
  const auto found = ours->second.find(std::string(key));
  return found == ours->second.end() ? std::string() : found->second;
}

std::string osds_of(const Pool& pool) {
  std::string osds = metadata(pool, scratch_osds_key);
  std::replace(osds.begin(), osds.end(), '.', ',');
  return osds;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// What Ceph takes in such a value.
bool is_taken(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
         c == '.' || c == '=';
}

bool is_scratch_name(std::string_view name) {
  return name.starts_with(scratch_prefix);
}

constexpr std::string_view making_infix = ".making.";
constexpr std::string_view leaving_infix = ".leaving.";

std::string digits_of(std::string_view text) {
  std::string digits;
  std::copy_if(text.begin(), text.end(), std::back_inserter(digits), is_digit);
  return digits;
}

std::string pid_space_of(const std::string& digits) {
  return digits.empty() ? std::string() : fmt::format("pid:[{}]", digits);
}

// Without dots: they part the fields.
std::string field(std::string text) {
  std::erase_if(text, [](char c) { return !is_taken(c) || c == '.' || c == '='; });
  return text;
}

bool same_process(const Owner& a, const Owner& b) {
  return a.pid == b.pid && a.started_ticks == b.started_ticks && a.boot == b.boot &&
         a.pid_space == b.pid_space;
}

}  // namespace

std::string scratch_name(std::string_view given) {
  return is_scratch_name(given) ? std::string(given) : fmt::format("{}{}", scratch_prefix, given);
}

std::string scratch_name(const std::vector<std::int32_t>& osds) {
  if (osds.size() > most_in_name) return fmt::format("{}{}-osds", scratch_prefix, osds.size());
  return fmt::format("{}{}", scratch_prefix, fmt::join(osds, "-"));
}

std::string encode_mark(const ScratchMark& mark) {
  const Owner& owner = mark.owner;
  // The host stands last: it is for people, and may be cut off.
  std::string text =
      fmt::format("{}={}={}={}={}={}={}", mark.ready ? "ready" : "making", mark.since, owner.pid,
                  owner.started_ticks, owner.boot, digits_of(owner.pid_space), owner.host);
  std::erase_if(text, [](char c) { return !is_taken(c); });
  return text.substr(0, mark_limit);
}

std::optional<ScratchMark> decode_mark(std::string_view text) {
  std::array<std::string, 7> parts;
  for (std::string& part : parts) {
    const std::size_t end = std::min(text.find('='), text.size());
    part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (parts[0] != "ready" && parts[0] != "making") return std::nullopt;
  ScratchMark mark{.ready = parts[0] == "ready", .since = parts[1]};
  mark.owner.pid = static_cast<std::int64_t>(parse_count(parts[2]).value_or(0));
  mark.owner.started_ticks = parse_count(parts[3]).value_or(0);
  mark.owner.boot = parts[4];
  mark.owner.pid_space = pid_space_of(parts[5]);
  mark.owner.host = parts[6];
  return mark;
}

std::string making_name(std::string_view name, const ScratchMark& mark) {
  const Owner& owner = mark.owner;
  return fmt::format("{}{}{}.{}.{}.{}.{}", name, making_infix, field(mark.since), owner.pid,
                     owner.started_ticks, field(owner.boot), digits_of(owner.pid_space));
}

std::optional<MakingName> parse_making_name(std::string_view text) {
  text = lasting_name(text);
  const std::size_t at = text.rfind(making_infix);
  if (at == std::string_view::npos || !is_scratch_name(text)) return std::nullopt;
  MakingName read{.name = std::string(text.substr(0, at))};
  text.remove_prefix(at + making_infix.size());
  std::vector<std::string> fields;
  for (bool more = true; more;) {
    const std::size_t end = std::min(text.find('.'), text.size());
    fields.emplace_back(text.substr(0, end));
    more = end < text.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (fields.size() != 5) return std::nullopt;
  const auto pid = parse_count(fields[1]);
  const auto ticks = parse_count(fields[2]);
  if (!pid || !ticks) return std::nullopt;
  read.owner.pid = static_cast<std::int64_t>(*pid);
  read.owner.started_ticks = *ticks;
  read.owner.boot = fields[3];
  read.owner.pid_space = pid_space_of(fields[4]);
  return read;
}

std::string leaving_name(std::string_view name, std::int64_t id) {
  return fmt::format("{}{}{}", name, leaving_infix, id);
}

std::string_view lasting_name(std::string_view name) {
  const std::size_t at = name.rfind(leaving_infix);
  if (at == std::string_view::npos) return name;
  const std::string_view id = name.substr(at + leaving_infix.size());
  const bool number = !id.empty() && std::all_of(id.begin(), id.end(), is_digit);
  return number ? name.substr(0, at) : name;
}

bool is_ours_alone(std::string_view name) {
  return parse_making_name(name).has_value() || lasting_name(name) != name;
}

bool by_prefix_alone(const ScratchFound& found) {
  return found.state == ScratchFound::State::rule_only && !is_ours_alone(found.name);
}

bool unchanged(const ScratchFound& before, const ScratchFound& now) {
  return before.state == now.state && before.pool == now.pool && before.name == now.name &&
         before.size == now.size && before.rule == now.rule && before.rule_id == now.rule_id &&
         before.mark == now.mark;
}

std::string osds_noted(const std::vector<std::int32_t>& osds) {
  std::string text = placement::ids_text(osds);
  std::erase(text, ' ');
  // Ceph takes no commas.
  std::replace(text.begin(), text.end(), ',', '.');
  return text.size() > mark_limit ? std::string() : text;
}

const RuleSeen* ScratchView::rule(std::string_view name) const {
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const RuleSeen& rule) { return rule.name == name; });
  return found == rules.end() ? nullptr : &*found;
}

std::size_t ScratchView::upmaps_of(std::int64_t pool) const {
  return static_cast<std::size_t>(
      std::count_if(map.upmaps.begin(), map.upmaps.end(),
                    [&](const auto& entry) { return belongs_to(entry.first, pool); }));
}

std::vector<placement::CrushTake> ScratchView::takes_in_use() const {
  std::vector<placement::CrushTake> takes;
  for (const RuleSeen& rule : rules) {
    const bool used = std::any_of(map.pools.begin(), map.pools.end(),
                                  [&](const Pool& pool) { return pool.crush_rule == rule.id; });
    if (used && !rule.take.bucket.empty()) takes.push_back(rule.take);
  }
  return takes;
}

Result<std::vector<RuleSeen>> parse_crush_rules(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto listed, ceph_json::parse_array("osd crush rule dump", json));
  std::vector<RuleSeen> rules;
  for (const Json& rule : listed) {
    rules.push_back({.id = id_of(rule, "rule_id").value_or(-1),
                     .name = text(rule, "rule_name"),
                     .take = take_of(rule)});
  }
  return rules;
}

std::string_view state_name(ScratchFound::State state) {
  switch (state) {
    case ScratchFound::State::ready:
      return "ready";
    case ScratchFound::State::making:
      return "half-made";
    case ScratchFound::State::unmarked:
      return "half-made, unmarked";
    case ScratchFound::State::rule_only:
      return "a rule without its pool";
  }
  return "";
}

namespace {

// The pool name that one of our rules has, or will get.
std::string rule_meant(std::string_view rule) {
  const auto making = parse_making_name(rule);
  return making ? making->name : std::string(lasting_name(rule));
}

// It got its name for the removal of another one.
bool is_misnamed(const RuleSeen& rule) {
  const std::string_view lasting = lasting_name(rule.name);
  return lasting != rule.name && rule.name != leaving_name(lasting, rule.id);
}

// A scratch pool: which state it is in, and who makes or made it.
std::optional<ScratchFound> ours(const ScratchView& view, const Pool& pool) {
  if (!is_scratch_name(pool.name) || !only_ours(pool)) return std::nullopt;
  const auto rule = std::find_if(view.rules.begin(), view.rules.end(),
                                 [&](const RuleSeen& one) { return one.id == pool.crush_rule; });
  const auto making = parse_making_name(pool.name);
  const std::string meant = making ? making->name : std::string(lasting_name(pool.name));
  const bool own_rule = rule != view.rules.end() && rule_meant(rule->name) == meant;
  ScratchFound one{.name = pool.name,
                   .meant = meant,
                   .pool = pool.id,
                   .size = pool.size,
                   .pg_num = pool.pg_num,
                   .upmaps = view.upmaps_of(pool.id),
                   .rule = own_rule ? rule->name : std::string(),
                   .rule_id = own_rule ? rule->id : -1,
                   .osds = osds_of(pool)};
  const std::string text = metadata(pool, scratch_key);
  if (text.empty()) {
    if (!making || one.rule != lasting_name(pool.name)) return std::nullopt;
    one.state = ScratchFound::State::unmarked;
    one.mark.owner = making->owner;
    return one;
  }
  const auto mark = decode_mark(text);
  if (!mark) return std::nullopt;
  one.mark = *mark;
  one.state = mark->ready ? ScratchFound::State::ready : ScratchFound::State::making;
  const bool fits =
      mark->ready ? pool.size == 1 : making && same_process(making->owner, mark->owner);
  return fits ? std::optional(one) : std::nullopt;
}

}  // namespace

std::vector<ScratchFound> find_scratch(const ScratchView& view) {
  std::vector<ScratchFound> found;
  std::set<std::int64_t> used;
  for (const Pool& pool : view.map.pools) {
    used.insert(pool.crush_rule);
    if (auto one = ours(view, pool)) found.push_back(*std::move(one));
  }
  for (const RuleSeen& rule : view.rules) {
    if (!is_scratch_name(rule.name) || used.contains(rule.id) || is_misnamed(rule)) continue;
    const auto making = parse_making_name(rule.name);
    found.push_back({.state = ScratchFound::State::rule_only,
                     .name = rule.name,
                     .meant = making ? making->name : rule.name,
                     .rule = rule.name,
                     .rule_id = rule.id,
                     .mark = {.owner = making ? making->owner : Owner{}}});
  }
  std::sort(found.begin(), found.end(),
            [](const ScratchFound& a, const ScratchFound& b) { return a.name < b.name; });
  return found;
}

std::vector<Misnamed> find_misnamed(const ScratchView& view) {
  std::vector<Misnamed> found;
  for (const Pool& pool : view.map.pools) {
    const bool leaving = is_scratch_name(pool.name) && lasting_name(pool.name) != pool.name;
    if (leaving && !ours(view, pool)) found.push_back({.name = pool.name});
  }
  for (const RuleSeen& rule : view.rules) {
    if (is_scratch_name(rule.name) && is_misnamed(rule)) {
      found.push_back({.name = rule.name, .is_rule = true});
    }
  }
  return found;
}

}  // namespace radosload::footprint
