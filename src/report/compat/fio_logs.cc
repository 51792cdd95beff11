#include "report/compat/fio_logs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/spread.h"

#include <fmt/format.h>

namespace radosload::report {

using record::RunRecord;
using record::TimelineRow;

namespace {

std::string_view log_name(FioLog log) {
  constexpr std::array<std::string_view, fio_logs.size()> names = {"lat", "slat", "clat", "bw",
                                                                   "iops"};
  return names.at(static_cast<std::size_t>(log));
}

std::int64_t ms(Time time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).count();
}

Time weighted(Time sum, std::uint64_t operations, Time mean, std::uint64_t more) {
  const double total = static_cast<double>(sum.count()) * static_cast<double>(operations) +
                       static_cast<double>(mean.count()) * static_cast<double>(more);
  return Time(std::llround(total / static_cast<double>(operations + more)));
}

void add_latency(FioLogWriter& writer, const TimelineRow& row, FioDirection direction) {
  FioLatencyRow mean{.at = row.start + row.length, .direction = direction, .operations = 0};
  for (const auto& [kind, figures] : row.kinds) {
    if (fio_direction(kind) != direction || figures.timed == 0) continue;
    mean.response = weighted(mean.response, mean.operations, figures.mean, figures.timed);
    mean.service = weighted(mean.service, mean.operations, figures.mean_service, figures.timed);
    mean.operations += figures.timed;
  }
  if (mean.operations > 0) writer.add(mean);
}

// A second without answers gets a row as well.
void add_rate(FioLogWriter& writer, const TimelineRow& row, FioDirection direction) {
  const double length = seconds(row.length);
  FioRateRow rate{.at = row.start + row.length, .direction = direction};
  for (const auto& [kind, figures] : row.kinds) {
    if (fio_direction(kind) != direction) continue;
    rate.bytes_per_s += static_cast<double>(figures.bytes) / length;
    rate.operations_per_s += static_cast<double>(figures.ops) / length;
  }
  writer.add(rate);
}

}  // namespace

FioLogWriter::FioLogWriter(Bytes block_size, Sink sink)
    : m_block_size(block_size), m_sink(std::move(sink)) {}

void FioLogWriter::write(FioLog log, std::int64_t at_ms, FioDirection direction, double value) {
  m_sink(log, fmt::format("{}, {}, {}, {}\n", at_ms, std::llround(value),
                          static_cast<unsigned>(direction), m_block_size.count));
}

void FioLogWriter::add(const FioLatencyRow& row) {
  if (ms(row.at) > m_now_ms) {
    finish();
    m_now_ms = ms(row.at);
  }
  Mean& mean = m_means.at(static_cast<std::size_t>(row.direction));
  const auto operations = static_cast<double>(row.operations);
  mean.operations += row.operations;
  mean.response_ns += static_cast<double>(row.response.count()) * operations;
  mean.service_ns += static_cast<double>(row.service.count()) * operations;
}

void FioLogWriter::finish() {
  for (const FioDirection direction : fio_directions) {
    Mean& mean = m_means.at(static_cast<std::size_t>(direction));
    if (mean.operations == 0) continue;
    const auto operations = static_cast<double>(mean.operations);
    write(FioLog::lat, m_now_ms, direction, mean.response_ns / operations);
    write(FioLog::slat, m_now_ms, direction, (mean.response_ns - mean.service_ns) / operations);
    write(FioLog::clat, m_now_ms, direction, mean.service_ns / operations);
    mean = {};
  }
}

void FioLogWriter::add(const FioRateRow& row) {
  constexpr double bytes_per_kib = 1024;
  write(FioLog::bw, ms(row.at), row.direction, row.bytes_per_s / bytes_per_kib);
  write(FioLog::iops, ms(row.at), row.direction, row.operations_per_s);
}

std::string fio_log_name(const RunPlan& plan, FioLog log) {
  return fio_log_name(
      fmt::format("{}-iodepth-{}-numjobs-1", fio_rw(plan), plan.pattern.queue_depth), log);
}

std::string fio_log_name(std::string_view beginning, FioLog log) {
  return fmt::format("{}_{}.1.log", beginning, log_name(log));
}

std::vector<FioLogFile> fio_log_files(const RunRecord& record) {
  std::vector<FioLogFile> files;
  files.reserve(fio_logs.size());
  for (const FioLog log : fio_logs) files.push_back({fio_log_name(record.header.plan, log), {}});
  FioLogWriter writer(record.header.plan.pattern.block_size,
                      [&files](FioLog log, std::string_view line) {
                        files.at(static_cast<std::size_t>(log)).text += line;
                      });
  std::vector<FioDirection> used;
  for (const FioDirection direction : fio_directions) {
    if (!fio_total(record, direction).empty()) used.push_back(direction);
  }
  for (const TimelineRow& row : record.timeline) {
    for (const FioDirection direction : used) add_latency(writer, row, direction);
  }
  writer.finish();
  for (const TimelineRow* row : full_rows(record)) {
    for (const FioDirection direction : used) add_rate(writer, *row, direction);
  }
  return files;
}

}  // namespace radosload::report
