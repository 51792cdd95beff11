#include "probe/facts.h"

#include <algorithm>
#include <cmath>

#include "base/wall_clock.h"

#include <fmt/format.h>

namespace radosload::probe {

std::string second_text(Time at) {
  constexpr std::size_t until_seconds = 19;
  return base::moment_text(at).substr(0, until_seconds) + "Z";
}

std::string change_subject(const Change& change) {
  if (change.osd >= 0) return fmt::format("osd.{}", change.osd);
  if (change.osd == whole_pool) return "the pool";
  return fmt::format("class {}", change.device_class.empty() ? "none" : change.device_class);
}

std::string change_text(const Change& change) {
  std::string text =
      fmt::format("{} {}: {:.2f} times as long since {} ({}, now {}", change_subject(change),
                  kind_name(change.kind), change.ratio, second_text(change.since),
                  human_text(change.before), human_text(change.after));
  if (change.peers > 0) text += fmt::format("; compared with {} peers", change.peers);
  return text + ")";
}

std::optional<Time> median_of(std::vector<Time> times) {
  if (times.empty()) return std::nullopt;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

std::optional<Time> geometric_mean(const std::vector<Time>& times) {
  if (times.empty()) return std::nullopt;
  double logs = 0;
  for (const Time time : times) logs += std::log(std::max(1.0, static_cast<double>(time.count())));
  return Time(std::llround(std::exp(logs / static_cast<double>(times.size()))));
}

}  // namespace radosload::probe
