// Summarises the rows of a trace: the same cells, histograms and seconds as in a record, counted by
// the same code. Parts of a trace may be counted in parallel and merged. Pure.
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
  std::size_t file = 0;  // its place among the traces that are summarised together
};
inline Time response_of(const TraceRow& row) {
  return Time(row.complete_ns - row.intended_ns);
}
inline Time service_of(const TraceRow& row) {
  return Time(row.complete_ns - row.submit_ns);
}
// Whether a run can have written the row: a known kind of operation, sent when it was due or later,
// answered after that and not before the measured phase, within weeks.
bool is_sound(const TraceRow& row);

class TraceScan {
 public:
  static constexpr Time longest_timeline = std::chrono::hours(48);

  // Without the length of the measured phase (a killed run), the phase ends with the last answer.
  explicit TraceScan(std::size_t slowest, std::optional<Time> measured = std::nullopt,
                     std::size_t file = 0)
      : m_slowest_wanted(slowest), m_measured(measured), m_file(file) {}

  // `first` is the number of the first of these rows.
  void add(std::uint64_t first, std::span<const TraceRow> rows);
  // The other scan must not be used after this.
  void merge(TraceScan& other);

  // The part of a record that rows determine: of the plan only the size of an operation, no
  // warm-up, and no timeline.
  record::RunRecord record();
  // Refuses a trace with more seconds than are kept: a damaged row may have any time.
  Status check_seconds() const;
  // Its seconds, with the figures that `rados bench` prints. Only valid after check_seconds().
  std::vector<record::TimelineRow> timeline() const;
  // By response time, the slowest first. Includes failed, cancelled and unanswered operations, but
  // none that was never sent.
  std::vector<SlowOp> slowest() const;
  // The number of invalid rows, which are not counted elsewhere.
  std::uint64_t unsound() const { return m_unsound; }
  // The most frequent length of operations.
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
  void add_unanswered(std::uint64_t number, const TraceRow& row);
  void add_unsent(const TraceRow& row);
  void add_to_seconds(const Slot& slot);
  void add_to_latencies(Second& now, const Slot& slot);
  void add_to_slowest(const SlowOp& op);
  Second& second_at(Time time);
  Time measured() const { return m_measured.value_or(m_end); }
  record::TimelineRow timeline_row(std::size_t index, std::uint64_t in_flight) const;
  // Moves the counts of the recorder into the total.
  void fold();

  std::size_t m_slowest_wanted;
  std::optional<Time> m_measured;
  std::size_t m_file;
  record::Recorder m_recorder;
  record::Interval m_whole;
  std::vector<Second> m_seconds;
  std::vector<SlowOp> m_slowest;  // a heap, the fastest of them at its front
  Time m_end{0};                  // of the last answer
  Time m_last_sent{0};            // of those that were never answered
  std::uint64_t m_unissued = 0;
  std::uint32_t m_largest = 0;
  std::uint64_t m_unsound = 0;
};

}  // namespace radosload::trace
