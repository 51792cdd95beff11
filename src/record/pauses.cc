#include "record/pauses.h"

#include <algorithm>
#include <array>

namespace radosload::record {

namespace {

constexpr std::array<std::string_view, pause_cause_count> cause_names = {"unknown", "suspended",
                                                                         "throttled", "stolen"};

}  // namespace

std::string_view pause_cause_name(PauseCause cause) {
  return cause_names.at(static_cast<std::size_t>(cause));
}

std::optional<PauseCause> pause_cause_from_name(std::string_view name) {
  const auto* const found = std::find(cause_names.begin(), cause_names.end(), name);
  if (found == cause_names.end()) return std::nullopt;
  return static_cast<PauseCause>(found - cause_names.begin());
}

void Pauses::add(const Pause& pause) {
  ++count;
  sum += pause.length;
  longest.push_back(pause);
  if (longest.size() <= most_listed) return;
  longest.erase(std::min_element(
      longest.begin(), longest.end(),
      [](const Pause& one, const Pause& other) { return one.length < other.length; }));
}

Time paused_within(const Pauses& pauses, Time from, Time to) {
  Time sum{0};
  for (const Pause& pause : pauses.longest) {
    const Time begin = std::max(from, pause.from);
    const Time end = std::min(to, pause.from + pause.length);
    sum += std::max(Time(0), end - begin);
  }
  return sum;
}

}  // namespace radosload::record
