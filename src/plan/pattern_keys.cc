#include "plan/pattern_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/suggest.h"
#include "plan/limits.h"
#include "plan/names.h"
#include "plan/option_fields.h"

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
bool of_files(const Pattern& p) {
  return p.is_of_files();
}
bool sized(const Pattern& p) {
  return p.metadata != OpKind::create && !p.is_of_files();
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

Refusal set_bytes(Bytes& target, std::string_view value) {
  const auto parsed = parse_bytes(value);
  if (!parsed) return {parsed.error().reason, parsed.error().hint};
  target = *parsed;
  return {};
}

Refusal set_read(Pattern& p, std::string_view value) {
  const auto percent = parse_decimal(value);
  if (!percent || std::signbit(*percent) || *percent > 100) {
    return {"the share of reads is a percentage from 0 to 100", "for example read=75"};
  }
  p.read_percent = *percent;
  return {};
}

Refusal set_bs(Pattern& p, std::string_view value) {
  Refusal wrong = set_bytes(p.block_size, value);
  if (p.whole_objects) p.object_size = p.block_size;
  return wrong;
}

Refusal set_object_size(Pattern& p, std::string_view value) {
  Refusal wrong = set_bytes(p.object_size, value);
  if (p.whole_objects) p.block_size = p.object_size;
  return wrong;
}

Refusal set_qd(Pattern& p, std::string_view value) {
  const auto depth = parse_count(value);
  if (!depth || *depth == 0 || *depth > most_in_flight) {
    return {fmt::format("the queue depth is a whole number from 1 to {}", most_in_flight),
            "for example qd=16"};
  }
  p.queue_depth = static_cast<std::uint32_t>(*depth);
  return {};
}

Refusal set_objects(Pattern& p, std::string_view value) {
  const auto count = parse_count(value);
  if (!count) return {"it is not a whole number of objects", count.error().hint};
  p.objects = *count;
  return {};
}

Refusal set_entries(Pattern& p, std::string_view value) {
  const auto count = parse_count(value);
  if (!count || *count == 0 || *count > most_entries) {
    return {fmt::format("a directory has from 1 to {} files", most_entries),
            "for example entries=10000"};
  }
  p.entries = *count;
  return {};
}

// fio and other programs spell the values out.
Refusal set_access(Pattern& p, std::string_view value) {
  const bool sequential = value == "seq" || value == "sequential";
  if (!sequential && value != "rand" && value != "random") {
    return {"unknown value", "write rand or seq"};
  }
  p.access = sequential ? Access::sequential : Access::random;
  return {};
}

// What stands after the law of "zipf:1.1"; nothing when it is not that law. "zipfian" is YCSB's
// name for zipf.
std::optional<std::string_view> after_zipf(std::string_view value) {
  for (const std::string_view law : {"zipfian", "zipf"}) {
    if (value == law) return "";
    if (value.starts_with(law) && value[law.size()] == ':') return value.substr(law.size() + 1);
  }
  return std::nullopt;
}

Refusal set_dist(Pattern& p, std::string_view value) {
  if (value == "uniform" || value == "random") {
    p.distribution = {};
    return {};
  }
  const auto exponent = after_zipf(value);
  if (!exponent) {
    constexpr std::array<std::string_view, 2> laws = {"uniform", "zipf"};
    return {"unknown value", values_hint(value, laws) + ", as in zipf:1.1"};
  }
  double theta = default_theta;
  if (value.find(':') != std::string_view::npos) {
    const auto parsed = parse_decimal(*exponent);
    // Below a thousandth it equals uniform in practice.
    if (!parsed || *parsed < 0.001 || *parsed > steepest_theta) {
      return {fmt::format("the exponent of zipf is a number from 0.001 to {}", steepest_theta),
              "for example dist=zipf:1.1; zipf alone has the exponent 0.99"};
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

Refusal set_cache(Pattern& p, std::string_view value) {
  const auto* const found = std::find(cache_names.begin(), cache_names.end(), value);
  if (found == cache_names.end()) return wrong_choice(value, cache_names);
  p.cache = static_cast<CacheMode>(found - cache_names.begin());
  return {};
}

Refusal set_verify(Pattern& p, std::string_view value) {
  const auto* const found = std::find(verify_names.begin(), verify_names.end(), value);
  if (found == verify_names.end()) return wrong_choice(value, verify_names);
  p.verify = static_cast<Verify>(found - verify_names.begin());
  return {};
}

Refusal set_flush(Pattern& p, std::string_view value) {
  return read_into(p.flush_each_write, value);
}

Refusal set_dsync(Pattern& p, std::string_view value) {
  return read_into(p.sync_each_write, value);
}

std::string yes_no(bool value) {
  return value ? "yes" : "no";
}

using View = std::string_view;

constexpr std::string_view not_data = "it does not read or write data";
constexpr std::string_view no_choice = "it uses each object once, in order";

// In the order in which describe() gives them.
constexpr std::array<Key, 13> table = {{
    {{"read", "PERCENT", "share of reads; the rest are writes"},
     data,
     not_data,
     set_read,
     [](const Pattern& p) { return decimal_text(p.read_percent); }},
    {{"bs", "SIZE", "bytes of one operation (omap: of one value)"},
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
     "it creates empty objects (radosbench-write creates objects with content)",
     set_object_size,
     [](const Pattern& p) { return option_text(p.object_size); }},
    {{"size", "SIZE", "working set: all objects together"},
     blocks,
     "set the number of its objects with objects=N",
     [](Pattern& p, View v) { return set_bytes(p.working_set, v); },
     [](const Pattern& p) { return option_text(p.working_set); }},
    {{"objects", "N", "number of objects or files (stat, create, delete, list, fs-...)"},
     counted,
     "the number of its objects is size divided by object-size",
     set_objects,
     [](const Pattern& p) { return fmt::format("{}", p.objects); }},
    {{"entries", "N", "files in each directory (fs-...)"},
     of_files,
     "only the patterns fs-... work on directories",
     set_entries,
     [](const Pattern& p) { return fmt::format("{}", p.entries); }},
    {{"access", "rand|seq", "random blocks, or one after the other"},
     placed,
     no_choice,
     set_access,
     [](const Pattern& p) -> std::string { return p.access == Access::random ? "rand" : "seq"; }},
    {{"dist", "uniform|zipf[:THETA]", "distribution of random blocks (zipf is zipf:0.99)"},
     placed,
     no_choice,
     set_dist,
     get_dist},
    {{"cache", "warm|bypass|drop",
      "OSD caches; warm: used as they are; bypass: OSDs are advised not to cache; drop: emptied "
      "before the run; fs-...: the client's cache, and bypass reads each file or directory once"},
     any,
     "",
     set_cache,
     [](const Pattern& p) {
       return std::string(cache_names.at(static_cast<std::size_t>(p.cache)));
     }},
    {{"flush", "yes|no", "flush after each write (images and drives: objects have no flush)"},
     data,
     not_data,
     set_flush,
     [](const Pattern& p) { return yes_no(p.flush_each_write); }},
    {{"dsync", "yes|no", "each write is durable when it is answered (drives only)"},
     data,
     not_data,
     set_dsync,
     [](const Pattern& p) { return yes_no(p.sync_each_write); }},
    {{"verify", "off|stamp|generation|full",
      "check of reads; off: none; stamp: the stamp of each block; generation: also lost writes; "
      "full: every byte"},
     checked,
     "it does not read content",
     set_verify,
     [](const Pattern& p) {
       return std::string(verify_names.at(static_cast<std::size_t>(p.verify)));
     }},
}};

}  // namespace

std::string colons_hint(std::string_view before, std::string_view values) {
  std::string list(values);
  std::replace(list.begin(), list.end(), ',', ':');
  return fmt::format("a list of values uses colons: {}{}", before, list);
}

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
