// Writes fio's logs (write_lat_log, write_bw_log, write_iops_log): a row per moment and direction.
//
//   time in ms, value, direction (0 read, 1 write, 2 trim), block size in bytes
//
// Latencies are in ns, bandwidth in KiB/s, IOPS in operations/s. lat and clat mean the same as in
// fio_json.h. slat is their difference, the time that a due operation waited to be sent; it is 0 in
// a closed loop. fio's fifth column, the offset, is left out: a row may be the mean of many
// operations, and fio's own fiologparser.py accepts exactly four columns. Pure: the caller writes
// the files.
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

// The operations since the row before.
struct FioRateRow {
  Time at{0};
  FioDirection direction = FioDirection::read;
  double bytes_per_s = 0;
  double operations_per_s = 0;
};

// Turns rows into lines; a row is an operation or a second. All latencies of the same millisecond
// and direction become one row with their mean, because CBT adds up rows of the same millisecond.
class FioLogWriter {
 public:
  // Called with each line and its newline, in the order of time.
  using Sink = std::function<void(FioLog log, std::string_view line)>;
  FioLogWriter(Bytes block_size, Sink sink);

  // Rows must be added in the order of time; a row that comes too late is given the current time.
  void add(const FioLatencyRow& row);
  void add(const FioRateRow& row);
  // Call after the last row: writes the means that are still open.
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

// "randrw-iodepth-64-numjobs-1_lat.1.log": the form of name that fio2gnuplot, fio_generate_plots
// and fio-plot look for.
std::string fio_log_name(const RunPlan& plan, FioLog log);
// The same with another beginning of the name.
std::string fio_log_name(std::string_view beginning, FioLog log);
// All five files, from the seconds of a record. Answers during the drain are in the latencies only.
std::vector<FioLogFile> fio_log_files(const record::RunRecord& record);

}  // namespace radosload::report
