// What the rows of a trace come to: the same cells, histograms and seconds as those of a record,
// counted by the same code. Parts of a trace may be counted side by side and be merged. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "radosload/result.h"

#include "record/recorder.h"
#include "record/run_record.h"
#include "trace/trace_row.h"

namespace radosload::trace {

struct SlowOp {
  std::uint64_t number = 0;  // of its row, from 0
  TraceRow row{};
};
inline Time response_of(const TraceRow& row) {
  return Time(row.complete_ns - row.intended_ns);
}
inline Time service_of(const TraceRow& row) {
  return Time(row.complete_ns - row.submit_ns);
}
// A row that a run may have written: of a kind of operation, sent when it was due or later,
// answered after that and in the measured phase or later, within weeks.
bool is_sound(const TraceRow& row);

class TraceScan {
 public:
  static constexpr Time longest_timeline = std::chrono::hours(48);

  // Without the length of the measured phase, as a killed run leaves it, that is taken to end with
  // the last answer.
  explicit TraceScan(std::size_t slowest, std::optional<Time> measured = std::nullopt)
      : m_slowest_wanted(slowest), m_measured(measured) {}

  // `first` is the number of the first of these rows.
  void add(std::uint64_t first, std::span<const TraceRow> rows);
  // The other is used up.
  void merge(TraceScan& other);

  // As much of a record as rows can tell: no plan but the size of an operation, and no warm-up.
  // Without its timeline.
  record::RunRecord record();
  // Refuses what has more seconds than are kept: a row of a damaged trace may say any time.
  Status check_seconds() const;
  // Its seconds, as far as `rados bench` has figures for them. Fine only when check_seconds() is.
  std::vector<record::TimelineRow> timeline() const;
  // By response time, the slowest first; failed and cancelled ones are among them.
  std::vector<SlowOp> slowest() const;
  // Rows that are not sound, and count nowhere.
  std::uint64_t unsound() const { return m_unsound; }
  // What most operations, if not all, moved.
  Bytes block_size() const { return Bytes{m_largest}; }

 private:
  struct Second {
    record::Flow flow;                // of the measured phase's operations
    record::Amount finished;          // of all
    std::uint64_t carried_ended = 0;  // of the warm-up's operations
    std::uint64_t service_ns = 0;     // sum
    std::uint64_t min_ns = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t max_ns = 0;
    record::LastOp last;
  };

  void add_sound(std::uint64_t number, const TraceRow& row);
  void add_to_seconds(const Slot& slot);
  void add_to_latencies(Second& now, const Slot& slot);
  void add_to_slowest(const SlowOp& op);
  Second& second_at(Time time);
  Time measured() const { return m_measured.value_or(m_end); }
  record::TimelineRow timeline_row(std::size_t index, std::uint64_t in_flight) const;
  // Moves what the recorder holds into the whole.
  void fold();

  std::size_t m_slowest_wanted;
  std::optional<Time> m_measured;
  record::Recorder m_recorder;
  record::Interval m_whole;
  std::vector<Second> m_seconds;
  std::vector<SlowOp> m_slowest;  // a heap, the fastest of them at its front
  Time m_end{0};                  // of the last answer
  std::uint32_t m_largest = 0;
  std::uint64_t m_unsound = 0;
};

}  // namespace radosload::trace
