// Writes fio's logs from the rows of a trace: latencies by the millisecond, rates by the second.
// Directions, units and columns are those of fio_logs.h. Pure: the caller writes the lines.
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
  // Rows are in the order in which clients handed them over, which is not quite that of their
  // answers. Rows that are late by less than this are still put in order.
  static constexpr Time patience = std::chrono::seconds(60);

  // Rates end with the measured phase; if its length is unknown, with the last answer.
  TraceFioLogs(Bytes block_size, FioLogWriter::Sink sink,
               std::optional<Time> measured = std::nullopt)
      : m_writer(block_size, std::move(sink)), m_measured(measured) {}

  // Ignores rows that are invalid or of failed operations.
  void add(const trace::TraceRow& row);
  void finish();
  // Of the latency logs: operations in them, and rows, which are means of one or more of them.
  std::uint64_t operations() const { return m_operations; }
  std::uint64_t rows() const { return m_rows; }
  // The number of rows that came later than `patience` and are in a later millisecond than their
  // own.
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
  std::int64_t m_written_ms = -1;  // up to and including this one
  Time m_end{0};
  std::uint64_t m_late = 0;
  std::uint64_t m_operations = 0;
  std::uint64_t m_rows = 0;
};

}  // namespace radosload::report
