#include "report/energy_text.h"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

using record::Estimated;
using record::RunRecord;

namespace {

// " (12.1 to 12.5)"; nothing when neither end is known.
template <typename Text>
std::string interval_text(const Estimated& estimated, Text&& text) {
  if (estimated.low && estimated.high) {
    return fmt::format(" ({} to {})", text(*estimated.low), text(*estimated.high));
  }
  if (estimated.low) return fmt::format(" ({} or more)", text(*estimated.low));
  if (estimated.high) return fmt::format(" ({} or less)", text(*estimated.high));
  return {};
}

std::string per_watt_text(double value) {
  return value < 0.1 ? fmt::format("{:.3g}", value) : rate_text(value);
}

constexpr const char* above_idle = "above the power without load";

}  // namespace

std::string joules_text(double joules) {
  for (const auto& [unit, size] : {std::pair{"J", 1.0}, {"mJ", 1e-3}, {"uJ", 1e-6}}) {
    if (std::abs(joules) >= size) return fmt::format("{:.3g} {}", joules / size, unit);
  }
  // Less is the error of the sums.
  constexpr double least = 1e-12;
  return std::abs(joules) < least ? "0 J" : fmt::format("{:.3g} nJ", joules * 1e9);
}

std::string power_text(const RunRecord& record) {
  const auto& energy = record.energy;
  if (!energy) return {};
  std::vector<std::string> names;
  for (const record::PowerSource& source : energy->sources) names.push_back(source.name);
  const auto watts = record::mean_watts(*energy);
  std::string text = watts ? fmt::format("{} W", rate_text(*watts)) : "not known";
  text += fmt::format(" ({})", joined(names, ", "));
  if (energy->idle_w) text += fmt::format(", without load {} W", rate_text(*energy->idle_w));
  return text;
}

std::string energy_text(const RunRecord& record) {
  if (!record.energy || !record.energy->joules_per_op) return {};
  const Estimated& gross = *record.energy->joules_per_op;
  std::string text = fmt::format("{} per operation{}", joules_text(gross.value),
                                 interval_text(gross, joules_text));
  if (const auto& net = record.energy->net_joules_per_op) {
    text += fmt::format(", {} {}{}", joules_text(net->value), above_idle,
                        interval_text(*net, joules_text));
  }
  return text;
}

std::string efficiency_text(const RunRecord& record) {
  if (!record.energy) return {};
  const auto gross = record::ops_per_joule(*record.energy);
  if (!gross) return {};
  std::string text = fmt::format("{} operations per joule, which is IOPS per watt{}",
                                 per_watt_text(gross->value), interval_text(*gross, per_watt_text));
  if (const auto net = record::net_ops_per_joule(*record.energy)) {
    text += fmt::format(", {} {}{}", per_watt_text(net->value), above_idle,
                        interval_text(*net, per_watt_text));
  }
  return text;
}

}  // namespace radosload::report
