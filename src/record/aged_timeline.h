// The timeline of a run of any length. Each of the last seconds has a row; rows of older ones cover
// 10 s, and of still older ones 60 s, so that a run of days needs the memory of an hour.
// Percentiles of a long row are those of all its operations: they are counted anew, because rows of
// a second have no histograms to merge.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "record/interval.h"
#include "record/run_record.h"

namespace radosload::record {

// From what age on rows (and lines of a journal) cover a longer time.
struct AgeStep {
  Time age;
  Time length;
};
inline constexpr std::array<AgeStep, 2> age_steps = {{
    {.age = std::chrono::minutes(30), .length = std::chrono::seconds(10)},
    {.age = std::chrono::hours(2), .length = std::chrono::seconds(60)},
}};
// Rows older than this keep the worst OSDs only, so that a record of 48 hours has less than 20 MiB;
// the run's totals keep all. A run that is planned for an hour at most keeps every second as it is.
inline constexpr Time all_rows_until = std::chrono::hours(1);
inline constexpr Time all_osds_until = std::chrono::minutes(10);
inline constexpr std::size_t osds_of_old_rows = 24;
// Reserved at once, because a vector that grows takes twice its size meanwhile.
inline constexpr std::size_t rows_of_two_days = 5'200;
// Which of the times of this length, counted from the start of the measured phase, holds a moment.
// Not for a moment before it.
std::int64_t slot_of(Time moment, Time length);

class AgedTimeline {
 public:
  // Adds a row for an interval of the measured phase, and replaces rows that have become old. In
  // the order of the intervals' starts.
  void add(const Interval& interval, std::vector<TimelineRow>& timeline);

 private:
  // Rows of one length that are to replace shorter ones when they are old enough.
  struct Level {
    AgeStep step;
    std::optional<Interval> open = {};  // the one that is still being added to
    std::deque<TimelineRow> ready = {};
    void add(const Interval& interval);
  };

  void forget_osds(Time before, std::vector<TimelineRow>& timeline);

  Time m_few_osds_until{0};  // rows that begin before it have few OSDs already
  std::array<Level, age_steps.size()> m_levels = {{{age_steps[0]}, {age_steps[1]}}};
};

}  // namespace radosload::record
