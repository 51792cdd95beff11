#include "session/joint_rows.h"

#include <algorithm>
#include <utility>

#include "session/story.h"

namespace radosload::session {

using record::Interval;

namespace {

// A warm-up has no rows.
bool is_row(const Interval& interval) {
  return interval.start >= Time(0);
}

void append(std::vector<Interval>& rows, Interval next, bool same_row) {
  const bool inside = same_row || (!rows.empty() && next.end() <= rows.back().end());
  if (inside && is_row(rows.back()) && is_row(next)) {
    rows.back() = record::merge_sequence(std::move(rows.back()), next);
  } else {
    rows.push_back(std::move(next));
  }
}

// On a busy machine a second of one member ends a little after that of the others: the next row
// begins there, so that no time counts twice.
void part(std::vector<Interval>& rows) {
  Time end{0};
  for (Interval& row : rows) {
    if (!is_row(row)) continue;
    const Time start = std::max(row.start, end);
    row.length = row.end() - start;
    row.start = start;
    end = row.end();
  }
}

}  // namespace

void JointRows::add(std::int64_t second, const record::PackedInterval& interval) {
  const auto [sum, is_new] = m_seconds.try_emplace(second);
  if (is_new) {
    sum->second = record::unpacked(interval);
  } else {
    record::add_parallel(sum->second, interval);
  }
  const Interval& own = interval.bare;
  if (own.start < Time(0) || own.length <= one_second + late_tick) return;
  const std::int64_t first = (own.start + late_tick) / one_second;
  const std::int64_t last = (own.end() - late_tick - Time(1)) / one_second;
  std::int64_t& known = m_long.try_emplace(first, last).first->second;
  known = std::max(known, last);
}

std::int64_t JointRows::end_of_rows(std::int64_t second) const {
  for (auto span = m_long.rbegin(); span != m_long.rend(); ++span) {
    if (span->first < second && second <= span->second) second = span->first;
  }
  return second;
}

std::vector<Interval> JointRows::take(std::int64_t end) {
  std::vector<Interval> rows;
  auto span = m_long.begin();
  std::int64_t first = -1;  // of the row that is being made
  std::int64_t last = -1;
  for (auto& [second, interval] : m_seconds) {
    if (second >= end) break;
    for (; span != m_long.end() && span->first <= second; ++span) {
      if (span->first > last) first = span->first;
      last = std::max(last, span->second);
    }
    append(rows, std::move(interval), second > first && second <= last);
  }
  part(rows);
  return rows;
}

}  // namespace radosload::session
