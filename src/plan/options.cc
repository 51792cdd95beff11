#include "plan/options.h"

#include <algorithm>
#include <utility>

#include "base/suggest.h"
#include "plan/option_fields.h"
#include "plan/pattern_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::plan {

namespace {

std::vector<Option> put_in_order() {
  std::vector<Option> rows = options_of_place();
  for (Option& row : options_of_load()) rows.push_back(std::move(row));
  for (Option& row : options_of_power()) rows.push_back(std::move(row));
  for (Option& row : options_of_cluster()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace

std::string text_of(bool value) {
  return value ? "yes" : "no";
}

std::string text_of(std::uint64_t value) {
  return fmt::format("{}", value);
}

std::string text_of(const std::string& value) {
  return value;
}

std::string text_of(const std::vector<std::string>& value) {
  return fmt::format("{}", fmt::join(value, ","));
}

std::string text_of(Bytes value) {
  return radosload::option_text(value);
}

std::string text_of(Time value) {
  return radosload::option_text(value);
}

Refusal refusal_of(const Error& error) {
  return {.reason = error.reason, .hint = error.hint};
}

Refusal read_into(bool& value, std::string_view text) {
  const auto parsed = parse_switch(text);
  if (!parsed) return {"it is a switch", "write yes or no"};
  value = *parsed;
  return {};
}

Refusal read_into(std::uint64_t& value, std::string_view text) {
  const auto parsed = parse_count(text);
  if (!parsed) return refusal_of(parsed.error());
  value = *parsed;
  return {};
}

Refusal read_into(std::string& value, std::string_view text) {
  value = text;
  return {};
}

Refusal read_into(std::vector<std::string>& value, std::string_view text) {
  value.clear();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (end > 0) value.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

Refusal read_into(Bytes& value, std::string_view text) {
  const auto parsed = parse_bytes(text);
  if (!parsed) return refusal_of(parsed.error());
  value = *parsed;
  return {};
}

Refusal read_into(Time& value, std::string_view text) {
  const auto parsed = parse_duration(text);
  if (!parsed) return refusal_of(parsed.error());
  value = *parsed;
  return {};
}

Refusal wrong_choice(std::string_view text, std::span<const std::string_view> names) {
  return {.reason = "unknown value", .hint = values_hint(text, names)};
}

std::string_view title_of(Group group) {
  switch (group) {
    case Group::where:
      return "Target and pattern";
    case Group::images:
      return "Images (RBD)";
    case Group::osds:
      return "Choice of OSDs";
    case Group::pattern:
      return "Keys of the pattern (defaults: radosload patterns NAME)";
    case Group::pace:
      return "Duration, rate and clients";
    case Group::session:
      return "Many clients as one load";
    case Group::watching:
      return "OSD counters";
    case Group::power:
      return "Power and energy";
    case Group::safety:
      return "Safety";
    case Group::output:
      return "Output";
    case Group::cluster:
      return "Cluster connection";
    case Group::hidden:
      break;
  }
  return {};
}

std::span<const Option> options() {
  static const std::vector<Option> rows = put_in_order();
  return rows;
}

const Option* find_option(std::string_view name) {
  const auto rows = options();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Option& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

Status set_option(const Option& option, RunPlan& plan, std::string_view text) {
  Refusal wrong = option.access.set(plan, text);
  if (wrong.empty()) return {};
  const bool takes_list = option.listed || option.form() == Form::list;
  if (!takes_list && text.find(':') != std::string_view::npos) {
    wrong = {.reason = "it takes one value, not a list",
             .hint = "lists are for keys of the pattern, --rate, --clients and --pattern"};
  }
  if (wrong.hint.empty() && option.listed && text.find(',') != std::string_view::npos) {
    wrong.hint = colons_hint(fmt::format("--{} ", option.name), text);
  }
  return fail({.attempt = "use",
               .subject = fmt::format("--{} {}", option.name, text),
               .reason = std::move(wrong.reason),
               .hint = std::move(wrong.hint),
               .exit = Exit::usage});
}

std::string default_text(const Option& option) {
  if (!option.recorded() || option.group == Group::pattern) return {};
  return option.get(RunPlan()).value_or("");
}

}  // namespace radosload::plan
