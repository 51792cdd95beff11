// Draws a run over time as two rows of bars, throughput and p99, with its events below. The report
// draws the measured phase, the live view the last minutes. Pure, and internal to the room.
#pragma once

#include <string>
#include <vector>

#include "record/run_record.h"
#include "report/style.h"

namespace radosload::report {

struct Mark {
  double at_s = 0;
  std::string text;
};

struct Span {
  double from_s = 0;
  double length_s = 0;
  std::vector<record::TimelineRow> rows;
  std::vector<Mark> marks;
  // Too short for a rate, or after the span, where operations that were sent in it are answered:
  // only their latencies are drawn, those of the latter in the last column.
  std::vector<record::TimelineRow> stumps = {};
};

// Each bar of throughput is the mean of its time span, each bar of latency the highest p99 of its
// seconds. Of a second with too few operations for a p99 its slowest operation is drawn; where most
// are so, of all seconds, and the label states this. No line is wider than style.columns. Empty if
// there is nothing to draw or no room.
std::vector<std::string> timeline_picture(const Span& span, const Style& style);

// The events of a record that pictures show, without duplicates.
std::vector<Mark> marks_of(const record::RunRecord& record);
// The measured phase of a record with its events.
Span measured_span(const record::RunRecord& record);

}  // namespace radosload::report
