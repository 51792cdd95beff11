// Prints runs in the two formats of `rados bench`, for scripts that parse them (CBT among them).
// Latencies are service times, which come closest to what rados bench measures: it takes the start
// before the submission, and the end in another thread than the callback.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "radosload/units.h"

#include "record/run_record.h"

namespace radosload::report {

// The rows of its table, one for each second. Keeps the running averages of the timeline rows that
// were added. Used for the finished report and for the live view.
class BenchRows {
 public:
  // "  sec Cur ops   started ...": printed above the rows, and again after every twenty rows.
  static std::string head();
  // The line of second 0, before the first operation.
  std::string first();
  // The line of a second. After every twenty rows, the line of latencies so far and another head
  // come before it.
  std::string next(const record::TimelineRow& row);

  // The values of a row, also used for the JSON format.
  struct Figures {
    std::uint64_t second = 0;
    std::uint64_t in_flight = 0;
    std::uint64_t started = 0;
    std::uint64_t finished = 0;
    double average_mb_s = 0;
    double current_mb_s = 0;
    double last_s = 0;  // 0: nothing finished in this second
    double average_s = 0;
  };
  Figures advance(const record::TimelineRow& row);

 private:
  std::string line(const Figures& figures);

  Figures m_now;
  std::uint64_t m_bytes = 0;
  std::uint64_t m_timed = 0;  // operations with a known latency
  double m_latency_s = 0;     // sum over them
  double m_min_s = std::numeric_limits<double>::infinity();
  double m_max_s = 0;
  std::uint64_t m_rows = 0;
};

std::string rados_bench_text(const record::RunRecord& record);
std::string rados_bench_json(const record::RunRecord& record);

}  // namespace radosload::report
