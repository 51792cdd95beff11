#include "plan/pattern_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "plan/limits.h"
#include "plan/names.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

constexpr double default_theta = 0.99;  // YCSB's, which "zipfian" has come to mean
constexpr double steepest_theta = 10;   // 99.9 % of all operations hit one block: beyond is noise

bool any(const Pattern&) {
  return true;
}
bool data(const Pattern& p) {
  return p.is_data();
}
bool blocks(const Pattern& p) {
  return p.is_data() || p.is_omap();
}
bool counted(const Pattern& p) {
  return !blocks(p);
}
bool sized(const Pattern& p) {
  return p.metadata != OpKind::create;
}
bool once(const Pattern& p) {
  return p.metadata == OpKind::create || p.metadata == OpKind::remove;
}
bool placed(const Pattern& p) {
  return !once(p);
}
bool checked(const Pattern& p) {
  return p.is_data() || p.metadata == OpKind::omap_get;
}

std::optional<double> parse_decimal(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string set_bytes(Bytes& target, std::string_view value) {
  const auto parsed = parse_bytes(value);
  if (!parsed) return parsed.error().hint;
  target = *parsed;
  return {};
}

std::string set_read(Pattern& p, std::string_view value) {
  const auto percent = parse_decimal(value);
  if (!percent || std::signbit(*percent) || *percent > 100) {
    return "the share of reads is a percentage from 0 to 100";
  }
  p.read_percent = *percent;
  return {};
}

std::string set_bs(Pattern& p, std::string_view value) {
  std::string wrong = set_bytes(p.block_size, value);
  if (p.whole_objects) p.object_size = p.block_size;
  return wrong;
}

std::string set_object_size(Pattern& p, std::string_view value) {
  std::string wrong = set_bytes(p.object_size, value);
  if (p.whole_objects) p.block_size = p.object_size;
  return wrong;
}

std::string set_qd(Pattern& p, std::string_view value) {
  const auto depth = parse_count(value);
  if (!depth || *depth == 0 || *depth > most_in_flight) {
    return fmt::format("the queue depth is a whole number from 1 to {}", most_in_flight);
  }
  p.queue_depth = static_cast<std::uint32_t>(*depth);
  return {};
}

std::string set_objects(Pattern& p, std::string_view value) {
  const auto count = parse_count(value);
  if (!count) return "a whole number of objects is wanted";
  p.objects = *count;
  return {};
}

std::string set_access(Pattern& p, std::string_view value) {
  if (value != "rand" && value != "seq") return "access is rand or seq";
  p.access = value == "seq" ? Access::sequential : Access::random;
  return {};
}

std::string set_dist(Pattern& p, std::string_view value) {
  if (value == "uniform") {
    p.distribution = {};
    return {};
  }
  constexpr std::string_view zipf = "zipf";
  if (!value.starts_with(zipf)) return "dist is uniform, zipf or zipf:THETA";
  double theta = default_theta;
  if (value != zipf) {
    const auto parsed = value[zipf.size()] == ':' ? parse_decimal(value.substr(zipf.size() + 1))
                                                  : std::optional<double>();
    // Below a thousandth it cannot be told from uniform.
    if (!parsed || *parsed < 0.001 || *parsed > steepest_theta) {
      return fmt::format("zipf's exponent is a number from 0.001 to {}, as in zipf:1.1",
                         steepest_theta);
    }
    theta = *parsed;
  }
  p.distribution = {Distribution::Law::zipf, theta};
  return {};
}

std::string get_dist(const Pattern& p) {
  if (p.distribution.law == Distribution::Law::uniform) return "uniform";
  return fmt::format("zipf:{}", p.distribution.theta);
}

std::string set_cache(Pattern& p, std::string_view value) {
  const auto* const found = std::find(cache_names.begin(), cache_names.end(), value);
  if (found == cache_names.end()) return "cache is warm, bypass or drop";
  p.cache = static_cast<CacheMode>(found - cache_names.begin());
  return {};
}

std::string set_verify(Pattern& p, std::string_view value) {
  const auto* const found = std::find(verify_names.begin(), verify_names.end(), value);
  if (found == verify_names.end()) return "verify is off, stamp, generation or full";
  p.verify = static_cast<Verify>(found - verify_names.begin());
  return {};
}

std::string set_switch(bool& target, std::string_view value) {
  if (value != "yes" && value != "no") return "yes or no is wanted";
  target = value == "yes";
  return {};
}

std::string yes_no(bool value) {
  return value ? "yes" : "no";
}

using View = std::string_view;

constexpr std::string_view not_data = "it has no reads and writes of data";
constexpr std::string_view no_choice = "it takes each object once, in order";

// In the order in which describe() gives them.
constexpr std::array<Key, 11> table = {{
    {{"read", "PERCENT", "share of reads; the rest are writes"},
     data,
     not_data,
     set_read,
     [](const Pattern& p) { return decimal_text(p.read_percent); }},
    {{"bs", "SIZE", "bytes of one operation; for omap, of one value"},
     blocks,
     "its operations carry no data",
     set_bs,
     [](const Pattern& p) { return option_text(p.block_size); }},
    {{"qd", "N", "operations in flight, over all clients"},
     any,
     "",
     set_qd,
     [](const Pattern& p) { return fmt::format("{}", p.queue_depth); }},
    {{"object-size", "SIZE", "size of each object"},
     sized,
     "objects are created empty; radosbench-write makes objects with content",
     set_object_size,
     [](const Pattern& p) { return option_text(p.object_size); }},
    {{"size", "SIZE", "working set: all objects together"},
     blocks,
     "its objects are counted; use objects=N",
     [](Pattern& p, View v) { return set_bytes(p.working_set, v); },
     [](const Pattern& p) { return option_text(p.working_set); }},
    {{"objects", "N", "number of objects (stat, create, delete, list)"},
     counted,
     "the number of its objects follows from size and object-size",
     set_objects,
     [](const Pattern& p) { return fmt::format("{}", p.objects); }},
    {{"access", "rand|seq", "any block, or one after the other"},
     placed,
     no_choice,
     set_access,
     [](const Pattern& p) -> std::string { return p.access == Access::random ? "rand" : "seq"; }},
    {{"dist", "uniform|zipf[:THETA]", "how random blocks are drawn (zipf alone: 0.99)"},
     placed,
     no_choice,
     set_dist,
     get_dist},
    {{"cache", "warm|bypass|drop", "leave the OSDs' caches, go past them, empty them first"},
     any,
     "",
     set_cache,
     [](const Pattern& p) {
       return std::string(cache_names.at(static_cast<std::size_t>(p.cache)));
     }},
    {{"flush", "yes|no", "flush after each write (images; objects have no flush)"},
     data,
     not_data,
     [](Pattern& p, View v) { return set_switch(p.flush_each_write, v); },
     [](const Pattern& p) { return yes_no(p.flush_each_write); }},
    {{"verify", "off|stamp|generation|full",
      "check of each block read its stamp, that no acknowledged write is missing, every byte"},
     checked,
     "it reads no content",
     set_verify,
     [](const Pattern& p) {
       return std::string(verify_names.at(static_cast<std::size_t>(p.verify)));
     }},
}};

}  // namespace

std::string decimal_text(double value) {
  std::array<char, 400> text{};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  return {text.data(), end};
}

std::span<const Key> keys() {
  return table;
}

const Key* find_key(std::string_view name) {
  const auto* const found = std::find_if(table.begin(), table.end(),
                                         [&](const Key& key) { return key.help.key == name; });
  return found == table.end() ? nullptr : found;
}

}  // namespace radosload::plan
