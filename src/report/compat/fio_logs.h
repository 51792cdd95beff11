// fio's logs (write_lat_log, write_bw_log, write_iops_log): a row per moment and direction.
//
//   time in ms, value, direction (0 read, 1 write, 2 trim), block size in bytes
//
// Latencies are ns, bandwidth is KiB/s, IOPS are operations/s. lat and clat mean the same as in
// fio_json.h; slat is what lies between them, the wait of operations that were due: nothing in a
// closed loop. There is no fifth column, fio's offset: a row stands for many operations, and fio's
// own fiologparser.py takes four and no more. Pure: who writes the files is the caller's matter.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/units.h"

#include "record/run_record.h"
#include "report/compat/fio_terms.h"

namespace radosload::report {

enum class FioLog : std::uint8_t { lat, slat, clat, bw, iops };
inline constexpr std::array<FioLog, 5> fio_logs = {FioLog::lat, FioLog::slat, FioLog::clat,
                                                   FioLog::bw, FioLog::iops};

// One operation that succeeded, or the mean of several.
struct FioLatencyRow {
  Time at{0};  // of completion, from the start of the measured phase
  FioDirection direction = FioDirection::read;
  Time response{0};
  Time service{0};
  std::uint64_t operations = 1;
};

// What was done from the row before up to this one.
struct FioRateRow {
  Time at{0};
  FioDirection direction = FioDirection::read;
  double bytes_per_s = 0;
  double operations_per_s = 0;
};

// Turns rows into lines, whether a row is an operation or a second. Latencies of one millisecond
// and direction become one row, their mean: CBT adds up rows of the same millisecond.
class FioLogWriter {
 public:
  // Gets each line with its newline, in the order of time.
  using Sink = std::function<void(FioLog log, std::string_view line)>;
  FioLogWriter(Bytes block_size, Sink sink);

  // Each in the order of time; a row that comes too late counts as of now.
  void add(const FioLatencyRow& row);
  void add(const FioRateRow& row);
  // After the last row: writes what was still being averaged.
  void finish();

 private:
  struct Mean {
    std::uint64_t operations = 0;
    double response_ns = 0;  // sums
    double service_ns = 0;
  };
  void write(FioLog log, std::int64_t at_ms, FioDirection direction, double value);

  Bytes m_block_size;
  Sink m_sink;
  std::int64_t m_now_ms = 0;
  std::array<Mean, fio_directions.size()> m_means;  // of m_now_ms
};

struct FioLogFile {
  std::string name;
  std::string text;
};

// "randrw-iodepth-64-numjobs-1_lat.1.log": a name that fio2gnuplot, fio_generate_plots and fio-plot
// find.
std::string fio_log_name(const RunPlan& plan, FioLog log);
// The same with a start given by the caller.
std::string fio_log_name(std::string_view beginning, FioLog log);
// All five, from the seconds of a record. What came in while draining is in the latencies only.
std::vector<FioLogFile> fio_log_files(const record::RunRecord& record);

}  // namespace radosload::report
