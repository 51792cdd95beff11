#include "session/story.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace radosload::session {

namespace {

using record::Interval;
using record::PackedInterval;

// The second that contains the middle of the interval. Intervals of a warm-up are before zero.
std::int64_t second_of(const Interval& interval) {
  const auto middle = (interval.start + interval.length / 2).count();
  const auto per_second = one_second.count();
  const auto second =
      middle >= 0 ? middle / per_second : -((-middle + per_second - 1) / per_second);
  return interval.start < Time(0) ? std::min<std::int64_t>(second, -1) : second;
}

// The number of seconds from zero on that are recorded without a gap.
std::int64_t whole_seconds(const Seconds& intervals) {
  Time covered{0};
  for (auto at = intervals.lower_bound(0); at != intervals.end(); ++at) {
    if (at->second.bare.start > covered + late_tick) break;
    covered = std::max(covered, at->second.bare.end());
  }
  return (covered + late_tick) / one_second;
}

}  // namespace

Story story_of(MemberLines member) {
  Story story;
  for (record::PackedLine& line : member.lines) {
    if (auto* const header = std::get_if<record::RunHeader>(&line)) {
      story.header = std::move(*header);
    }
    if (auto* const footer = std::get_if<record::RunFooter>(&line)) {
      story.footer = std::move(*footer);
    }
    auto* const interval = std::get_if<PackedInterval>(&line);
    if (interval == nullptr) continue;
    const std::int64_t second = second_of(interval->bare);
    const auto known = story.seconds.find(second);
    if (known == story.seconds.end()) {
      story.seconds.emplace(second, std::move(*interval));
    } else {
      known->second = record::packed(
          record::merge_sequence(record::unpacked(known->second), record::unpacked(*interval)));
    }
  }
  story.whole = whole_seconds(story.seconds);
  member.lines.clear();
  story.of = std::move(member);
  return story;
}

bool came_to_its_end(const Story& story) {
  return story.footer && story.of.missing.empty() && record::is_planned(story.footer->ended_by);
}

bool has_measured(const Story& story) {
  return story.header && (story.whole > 0 || came_to_its_end(story));
}

}  // namespace radosload::session
