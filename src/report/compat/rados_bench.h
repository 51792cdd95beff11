// Runs in the two shapes of `rados bench`, for the scripts that parse those (CBT among them).
// Latencies are service times, as close to its measure as ours come: it stamps the start before the
// submission, and the end in another thread than the callback.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "radosload/units.h"

#include "record/run_record.h"

namespace radosload::report {

// The rows of its table, one for each second: fed with timeline rows, it remembers what the running
// averages need. Serves the finished report and the live view alike.
class BenchRows {
 public:
  // "  sec Cur ops   started ...": what it prints above the rows, and again after every twenty.
  static std::string head();
  // The line of second 0, before anything has happened.
  std::string first();
  // The line of a second; twenty rows after the last head preceded by its line of latencies so far
  // and another head.
  std::string next(const record::TimelineRow& row);

  // What a row consists of; the JSON shape takes it from here.
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
  std::uint64_t m_timed = 0;  // operations that latencies are known of
  double m_latency_s = 0;     // sum over them
  double m_min_s = std::numeric_limits<double>::infinity();
  double m_max_s = 0;
  std::uint64_t m_rows = 0;
};

std::string rados_bench_text(const record::RunRecord& record);
std::string rados_bench_json(const record::RunRecord& record);

}  // namespace radosload::report
