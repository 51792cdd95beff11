// A run over time as two rows of bars, throughput and p99, with its events marked below. The report
// draws the measured phase with it, the live view the last minutes. Pure, and internal to the room.
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
};

// Each bar of throughput is the mean of its time, each bar of latency the highest p99 of a second
// in it. Where a second has too few operations for a p99, the slowest operation is drawn instead,
// and the label says so. No line is wider than style.columns; nothing at all where there is nothing
// to draw, or no room for it.
std::vector<std::string> timeline_picture(const Span& span, const Style& style);

// The events of a record that pictures show, each once.
std::vector<Mark> marks_of(const record::RunRecord& record);
// The measured phase of a record with its events.
Span measured_span(const record::RunRecord& record);

}  // namespace radosload::report
