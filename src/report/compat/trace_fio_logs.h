// fio's logs from the rows of a trace: its latencies to the millisecond, its rates to the second.
// Directions, units and the columns are those of fio_logs.h. Pure: who writes the lines is the
// caller's matter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "report/compat/fio_logs.h"
#include "trace/trace_row.h"

namespace radosload::report {

class TraceFioLogs {
 public:
  // Rows come as clients handed them over, not quite in the order of their answers. So much time is
  // kept open for those that are behind.
  static constexpr Time patience = std::chrono::seconds(60);

  // Rates end with the measured phase; without its length, with the last answer.
  TraceFioLogs(Bytes block_size, FioLogWriter::Sink sink,
               std::optional<Time> measured = std::nullopt)
      : m_writer(block_size, std::move(sink)), m_measured(measured) {}

  // Rows that are not sound, or failed, are in no log.
  void add(const trace::TraceRow& row);
  void finish();
  // How many came too late even for that, and stand in a later millisecond than their own.
  std::uint64_t late() const { return m_late; }

 private:
  struct Sum {
    std::uint64_t operations = 0;
    std::uint64_t bytes = 0;
    double response_ns = 0;
    double service_ns = 0;
  };
  using Directions = std::array<Sum, fio_directions.size()>;

  void write_oldest();
  void write_rates();

  void add_latency(const trace::TraceRow& row, std::size_t place);

  FioLogWriter m_writer;
  std::optional<Time> m_measured;
  std::map<std::int64_t, Directions> m_open;  // by millisecond
  std::vector<Directions> m_seconds;
  std::int64_t m_written_ms = -1;  // up to and with this one
  Time m_end{0};
  std::uint64_t m_late = 0;
};

}  // namespace radosload::report
