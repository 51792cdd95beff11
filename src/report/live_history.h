// The last three minutes of a running measurement, for the live view: throughput, p99, events,
// latencies and the slowest OSD. Gets the progress of the run once a second; has no clock.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "record/progress.h"
#include "report/style.h"
#include "report/timeline_picture.h"

namespace radosload::report {

class LiveHistory {
 public:
  // Adds a second. A new phase or step begins a new history.
  void add(const record::Progress& now);
  // Notes an event at the end of the last second.
  void mark(const std::string& text);

  // Throughput, p99 and events, latencies, the slowest OSD: what is known, in at most this many
  // lines. No line is wider than style.columns.
  std::vector<std::string> picture(const Style& style, std::size_t most_lines) const;

 private:
  struct Second {
    record::TimelineRow row;  // its start counts from the beginning of this history
    record::Histogram latency;
  };
  struct OsdMean {
    std::int32_t osd = no_osd;
    double mean_ns = 0;
  };

  void forget_old();
  Span span() const;
  record::Histogram latency() const;
  std::vector<OsdMean> osds() const;
  std::string slowest_osd() const;

  std::string m_phase;
  std::string m_step;
  Time m_end{0};
  std::deque<Second> m_seconds;
  std::deque<Mark> m_marks;
};

}  // namespace radosload::report
