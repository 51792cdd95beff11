#include "session/story.h"

#include <algorithm>
#include <variant>

namespace radosload::session {

namespace {

using record::Interval;

constexpr Time one_second = std::chrono::seconds(1);

// The second that contains the middle of the interval. Intervals of a warm-up are before zero.
std::int64_t second_of(const Interval& interval) {
  const auto middle = (interval.start + interval.length / 2).count();
  const auto per_second = one_second.count();
  const auto second =
      middle >= 0 ? middle / per_second : -((-middle + per_second - 1) / per_second);
  return interval.start < Time(0) ? std::min<std::int64_t>(second, -1) : second;
}

// The number of seconds from zero on that are recorded without a gap. On a busy machine an interval
// may end late, and the next one is shorter then.
std::int64_t whole_seconds(const std::map<std::int64_t, Interval>& intervals) {
  constexpr Time tolerance = std::chrono::milliseconds(100);
  Time covered{0};
  for (auto at = intervals.lower_bound(0); at != intervals.end(); ++at) {
    if (at->second.start > covered + tolerance) break;
    covered = std::max(covered, at->second.end());
  }
  return (covered + tolerance) / one_second;
}

}  // namespace

Story story_of(const MemberLines& member) {
  Story story{.of = &member, .header = {}, .footer = {}, .seconds = {}};
  for (const record::JournalLine& line : member.lines) {
    if (const auto* const header = std::get_if<record::RunHeader>(&line)) story.header = *header;
    if (const auto* const footer = std::get_if<record::RunFooter>(&line)) story.footer = *footer;
    const auto* const interval = std::get_if<Interval>(&line);
    if (interval == nullptr) continue;
    const auto [place, fresh] = story.seconds.try_emplace(second_of(*interval), *interval);
    if (!fresh) place->second = record::merge_sequence(place->second, *interval);
  }
  story.whole = whole_seconds(story.seconds);
  return story;
}

bool came_to_its_end(const Story& story) {
  return story.footer && story.of->missing.empty() && record::is_planned(story.footer->ended_by);
}

bool has_measured(const Story& story) {
  return story.header && (story.whole > 0 || came_to_its_end(story));
}

void fold_seconds(record::Folder& folder, const std::vector<const Story*>& stories,
                  std::int64_t end) {
  std::map<std::int64_t, Interval> joint;
  for (const Story* const story : stories) {
    for (const auto& [second, interval] : story->seconds) {
      if (second >= end) continue;
      const auto [place, fresh] = joint.try_emplace(second, interval);
      if (!fresh) place->second = record::merge_parallel(place->second, interval);
    }
  }
  for (const auto& [second, interval] : joint) folder.add(interval);
}

}  // namespace radosload::session
