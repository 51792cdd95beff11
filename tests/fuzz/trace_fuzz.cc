// A file that somebody takes for a trace: its head may say anything, and its rows be any bytes.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "report/compat/rados_bench.h"
#include "report/compat/trace_fio_logs.h"
#include "report/trace_csv.h"
#include "report/trace_summary.h"
#include "trace/trace_header.h"
#include "trace/trace_scan.h"

namespace radosload {
namespace {

using trace::TraceRow;

std::vector<TraceRow> rows_of(std::string_view bytes) {
  std::vector<TraceRow> rows(bytes.size() / sizeof(TraceRow));
  if (!rows.empty()) std::memcpy(rows.data(), bytes.data(), rows.size() * sizeof(TraceRow));
  return rows;
}

void show(const std::vector<TraceRow>& rows) {
  trace::TraceScan scan(5);
  scan.add(0, rows);
  record::RunRecord record = scan.record();
  const std::uint64_t ended = record.measured_flow.ended() + record.carried_flow.ended();
  const std::uint64_t lost = record.unfinished + record.unissued;
  fuzz::require(ended + lost + scan.unsound() == rows.size());
  report::TraceFacts facts;
  facts.object_size = Bytes{3};
  static_cast<void>(report::trace_summary(facts, record, scan.slowest()));
  // Times are anything: no row may cost more than the longest timeline that is shown.
  record.timeline = scan.timeline();
  fuzz::require(record.timeline.size() <= std::size_t{48} * 3600);
  if (!scan.check_seconds()) return;
  // Lines of a day take a second here; hours are the same code.
  if (record.timeline.size() > 3600U) return;
  static_cast<void>(report::rados_bench_text(record));

  std::string csv;
  report::TraceFioLogs logs(scan.block_size(), [](report::FioLog, std::string_view line) {
    fuzz::require(line.ends_with('\n'));
  });
  for (const TraceRow& row : rows) {
    report::add_trace_csv(csv, row);
    logs.add(row);
  }
  logs.finish();
  const auto lines = static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n'));
  fuzz::require(lines == rows.size());
}

void file(std::string_view bytes) {
  const auto header = trace::parse_trace_header(bytes, "the trace");
  if (!header) return fuzz::require(!header.error().message().empty());
  fuzz::require(header->data_begin <= bytes.size());
  show(rows_of(bytes.substr(header->data_begin)));
}

}  // namespace
}  // namespace radosload

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  radosload::file(radosload::fuzz::text_of(data, size));
  return 0;
}
