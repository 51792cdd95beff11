#include "record/aged_timeline.h"

#include <algorithm>
#include <utility>

namespace radosload::record {

namespace {

// Puts the row in the place of those that begin within its time.
void replace_with(TimelineRow row, Time length, std::vector<TimelineRow>& timeline) {
  const std::int64_t slot = slot_of(row.start, length);
  const auto is_before = [&](const TimelineRow& one) { return slot_of(one.start, length) < slot; };
  const auto first = std::find_if_not(timeline.begin(), timeline.end(), is_before);
  const auto last = std::find_if_not(first, timeline.end(), [&](const TimelineRow& one) {
    return slot_of(one.start, length) == slot;
  });
  if (first == last) return;
  *first = std::move(row);
  timeline.erase(std::next(first), last);
}

}  // namespace

std::int64_t slot_of(Time moment, Time length) {
  return moment.count() / length.count();
}

void AgedTimeline::Level::add(const Interval& interval) {
  if (open && slot_of(open->start, step.length) != slot_of(interval.start, step.length)) {
    keep_worst(*open, osds_of_old_rows);
    ready.push_back(row_of(*open));
    open.reset();
  }
  open = open ? merge_sequence(*std::move(open), interval) : interval;
}

void AgedTimeline::forget_osds(Time before, std::vector<TimelineRow>& timeline) {
  const auto is_before = [](const TimelineRow& row, Time time) { return row.start < time; };
  auto row = std::lower_bound(timeline.begin(), timeline.end(), m_few_osds_until, is_before);
  for (; row != timeline.end() && row->start < before; ++row)
    row->osds.keep_worst(osds_of_old_rows);
  m_few_osds_until = std::max(m_few_osds_until, before);
}

void AgedTimeline::add(const Interval& interval, std::vector<TimelineRow>& timeline) {
  if (timeline.empty()) timeline.reserve(rows_of_two_days);
  timeline.push_back(row_of(interval));
  forget_osds(interval.end() - all_osds_until, timeline);
  for (Level& level : m_levels) {
    level.add(interval);
    while (!level.ready.empty() &&
           level.ready.front().start + level.step.length + level.step.age <= interval.end()) {
      replace_with(std::move(level.ready.front()), level.step.length, timeline);
      level.ready.pop_front();
    }
  }
}

}  // namespace radosload::record
