#include "report/compat/trace_fio_logs.h"

#include <algorithm>
#include <cmath>

#include "trace/trace_scan.h"

namespace radosload::report {

namespace {

constexpr Time millisecond = std::chrono::milliseconds(1);
constexpr Time second = std::chrono::seconds(1);

// An operation that ends exactly with a second belongs to it, as in a record.
std::size_t second_of(Time time) {
  return time > Time(0) ? static_cast<std::size_t>((time - Time(1)) / second) : 0;
}

Time mean_of(double sum_ns, std::uint64_t operations) {
  return Time(std::llround(sum_ns / static_cast<double>(operations)));
}

}  // namespace

void TraceFioLogs::add(const trace::TraceRow& row) {
  if (!trace::is_sound(row) || row.rc < 0) return;
  const auto direction = fio_direction(static_cast<OpKind>(row.op));
  if (!direction) return;
  const auto place = static_cast<std::size_t>(*direction);
  const Time at(row.complete_ns);
  m_end = std::max(m_end, at);
  if (second_of(at) >= m_seconds.size()) m_seconds.resize(second_of(at) + 1);
  Sum& rate = m_seconds[second_of(at)].at(place);
  ++rate.operations;
  rate.bytes += row.bytes;
  if (trace::is_measured(row)) add_latency(row, place);
}

void TraceFioLogs::add_latency(const trace::TraceRow& row, std::size_t place) {
  std::int64_t ms = Time(row.complete_ns) / millisecond;
  if (ms <= m_written_ms) {
    ++m_late;
    ms = m_written_ms + 1;
  }
  Sum& sum = m_open[ms].at(place);
  ++sum.operations;
  sum.response_ns += static_cast<double>(trace::response_of(row).count());
  sum.service_ns += static_cast<double>(trace::service_of(row).count());
  while (m_open.begin()->first + patience / millisecond < ms) write_oldest();
}

void TraceFioLogs::write_oldest() {
  const auto& [ms, sums] = *m_open.begin();
  for (const FioDirection direction : fio_directions) {
    const Sum& sum = sums.at(static_cast<std::size_t>(direction));
    if (sum.operations == 0) continue;
    m_writer.add(FioLatencyRow{.at = millisecond * ms,
                               .direction = direction,
                               .response = mean_of(sum.response_ns, sum.operations),
                               .service = mean_of(sum.service_ns, sum.operations),
                               .operations = sum.operations});
    m_operations += sum.operations;
    ++m_rows;
  }
  m_written_ms = ms;
  m_open.erase(m_open.begin());
}

// A second without answers gets a row as well; an incomplete second at the end gets none.
void TraceFioLogs::write_rates() {
  Directions total;
  for (const Directions& one : m_seconds) {
    for (std::size_t i = 0; i < one.size(); ++i) total.at(i).operations += one.at(i).operations;
  }
  Time start{0};
  for (const Directions& one : m_seconds) {
    const Time length = std::min(second, m_measured.value_or(m_end) - start);
    for (const FioDirection direction : fio_directions) {
      const auto place = static_cast<std::size_t>(direction);
      if (total.at(place).operations == 0 || length < second / 2) continue;
      m_writer.add(FioRateRow{
          .at = start + length,
          .direction = direction,
          .bytes_per_s = static_cast<double>(one.at(place).bytes) / seconds(length),
          .operations_per_s = static_cast<double>(one.at(place).operations) / seconds(length)});
    }
    start += second;
  }
}

void TraceFioLogs::finish() {
  while (!m_open.empty()) write_oldest();
  m_writer.finish();
  write_rates();
}

}  // namespace radosload::report
