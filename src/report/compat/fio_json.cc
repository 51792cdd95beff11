#include "report/compat/fio_json.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <map>
#include <vector>

#include "radosload/outcome.h"

#include "report/compat/fio_buckets.h"
#include "report/compat/fio_terms.h"
#include "report/compat/with_lost.h"
#include "report/json_lines.h"
#include "report/spread.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace radosload::report {

using record::Cell;
using record::Histogram;
using record::Quantile;
using record::RunRecord;
using record::TimelineRow;

namespace {

constexpr double bytes_per_kib = 1024;
constexpr double percent = 100;

std::uint64_t milliseconds(Time time) {
  const auto whole = std::chrono::round<std::chrono::milliseconds>(time).count();
  return whole > 0 ? static_cast<std::uint64_t>(whole) : 0;
}

std::uint64_t rounded(double value) {
  return value > 0 ? static_cast<std::uint64_t>(std::llround(value)) : 0;
}

// ---- latencies ----

// fio prints the deviation of a sample; radosload's histograms have that of a population.
double sample_deviation(const Histogram& histogram) {
  const auto n = static_cast<double>(histogram.count());
  return n > 1 ? histogram.stddev() * std::sqrt(n / (n - 1)) : 0;
}

void add_percentiles(JsonLines& json, const Histogram& all) {
  static constexpr std::array<std::uint32_t, 17> ppm = {
      10'000,  50'000,  100'000, 200'000, 300'000, 400'000, 500'000, 600'000, 700'000,
      800'000, 900'000, 950'000, 990'000, 995'000, 999'000, 999'500, 999'900};
  constexpr double ppm_per_percent = 10'000;
  json.begin("percentile");
  for (const std::uint32_t rank : ppm) {
    json.count(fmt::format("{:.6f}", rank / ppm_per_percent), all.value_at(Quantile{rank}));
  }
  json.end();
}

void add_bins(JsonLines& json, const Histogram& histogram) {
  // fio_jsonplus_clat2csv never ends when a bin is above this value.
  constexpr std::uint64_t last_of_fio = 17'112'760'320;
  std::map<std::uint64_t, std::uint64_t> bins;
  histogram.for_each([&](std::size_t index, std::uint64_t count) {
    const std::uint64_t value = std::min(Histogram::highest_in(index), histogram.max());
    bins[std::min(value, last_of_fio)] += count;
  });
  json.begin("bins");
  for (const auto& [value, count] : bins) json.count(fmt::to_string(value), count);
  json.end();
}

void add_latency(JsonLines& json, std::string_view key, const Histogram& all) {
  json.begin(key);
  json.count("min", all.min());
  json.count("max", all.max());
  json.real("mean", all.mean());
  json.real("stddev", sample_deviation(all));
  json.count("N", all.count());
  if (!all.empty()) {
    add_percentiles(json, all);
    add_bins(json, all);
  }
  json.end();
}

// ---- directions ----

std::vector<double> per_second(const RunRecord& record, FioDirection direction,
                               std::uint64_t record::Figures::*amount) {
  std::vector<double> values;
  for (const TimelineRow* row : full_seconds(record)) {
    std::uint64_t sum = 0;
    for (const auto& [kind, figures] : row->kinds) {
      if (fio_direction(kind) == direction) sum += figures.*amount;
    }
    values.push_back(static_cast<double>(sum) / seconds(row->length));
  }
  return values;
}

void add_rates(JsonLines& json, const RunRecord& record, FioDirection direction,
               const Cell& total) {
  Spread bandwidth;
  Spread iops;
  if (total.finished.ops > 0) {
    bandwidth = spread_of(per_second(record, direction, &record::Figures::bytes));
    iops = spread_of(per_second(record, direction, &record::Figures::ops));
  }
  const double all = record::mib_per_s(record, record::total_of(record.kinds)) * 1024;
  const double mean_kib = bandwidth.mean / bytes_per_kib;
  json.count("bw_min", rounded(bandwidth.min / bytes_per_kib));
  json.count("bw_max", rounded(bandwidth.max / bytes_per_kib));
  json.real("bw_agg", all > 0 ? std::min(percent, percent * mean_kib / all) : 0);
  json.real("bw_mean", mean_kib);
  json.real("bw_dev", bandwidth.deviation / bytes_per_kib);
  json.count("bw_samples", bandwidth.samples);
  json.count("iops_min", rounded(iops.min));
  json.count("iops_max", rounded(iops.max));
  json.real("iops_mean", iops.mean);
  json.real("iops_stddev", iops.deviation);
  json.count("iops_samples", iops.samples);
}

std::uint64_t short_reads(const Cell& cell) {
  std::uint64_t count = 0;
  for (const record::ErrorCount& error : cell.errors) {
    if (error.rc == rc_short_read) count += error.count;
  }
  return count;
}

void add_direction(JsonLines& json, const RunRecord& record, FioDirection direction) {
  const Cell total = fio_total(record, direction);
  const double bytes_per_s = record::mib_per_s(record, total) * 1024 * 1024;
  json.begin(fio_name(direction));
  json.count("io_bytes", total.finished.bytes);
  json.count("io_kbytes", total.finished.bytes / 1024);
  json.count("bw_bytes", rounded(std::floor(bytes_per_s)));
  json.count("bw", rounded(std::floor(bytes_per_s / bytes_per_kib)));
  json.real("iops", record::iops(record, total));
  json.count("runtime", total.empty() ? 0 : milliseconds(record.measured));
  json.count("total_ios", total.finished.ops);
  json.count("short_ios", short_reads(total));
  json.count("drop_ios", total.lost.ops());
  add_latency(json, "slat_ns", {});
  add_latency(json, "clat_ns", service_with_lost(total));
  add_latency(json, "lat_ns", response_with_lost(total));
  add_rates(json, record, direction, total);
  json.end();
}

void add_sync(JsonLines& json, const RunRecord& record) {
  const Cell sync = fio_sync(record);
  json.begin("sync");
  json.count("total_ios", sync.finished.ops);
  add_latency(json, "lat_ns", response_with_lost(sync));
  json.end();
}

// ---- the whole ----

int fio_errno(std::int32_t rc) {
  return rc <= rc_hole ? EILSEQ : -rc;
}

// The most frequent error of the first second that had failures.
int first_error(const RunRecord& record, const Cell& total) {
  const std::vector<record::ErrorCount>* errors = &total.errors;
  const auto first = std::find_if(record.timeline.begin(), record.timeline.end(),
                                  [](const TimelineRow& row) { return !row.all.errors.empty(); });
  if (first != record.timeline.end()) errors = &first->all.errors;
  const auto most =
      std::max_element(errors->begin(), errors->end(),
                       [](const auto& a, const auto& b) { return a.count < b.count; });
  return most == errors->end() ? 0 : fio_errno(most->rc);
}

// 0 when the text is not a time.
std::time_t started_at(std::string_view iso) {
  const auto part = [iso](std::size_t at, std::size_t length) -> unsigned {
    if (iso.size() < at + length) return 0;
    const auto number = parse_count(iso.substr(at, length));
    return number ? static_cast<unsigned>(*number) : 0;
  };
  const std::chrono::year_month_day day(std::chrono::year(static_cast<int>(part(0, 4))),
                                        std::chrono::month(part(5, 2)),
                                        std::chrono::day(part(8, 2)));
  if (!day.ok()) return 0;
  const std::chrono::seconds since_1970 =
      std::chrono::sys_days(day).time_since_epoch() + std::chrono::hours(part(11, 2)) +
      std::chrono::minutes(part(14, 2)) + std::chrono::seconds(part(17, 2));
  return std::max<std::time_t>(0, since_1970.count());
}

std::uint64_t timestamp_of(const RunRecord& record) {
  return static_cast<std::uint64_t>(started_at(record.header.started));
}

void add_head(JsonLines& json, const RunRecord& record) {
  const std::time_t started = started_at(record.header.started);
  const std::uint64_t timestamp = timestamp_of(record);
  json.text("fio version", fmt::format("fio-3.33 (as {} writes it)", record.header.program));
  json.count("timestamp", timestamp);
  json.count("timestamp_ms", timestamp * 1000);
  json.text("time", fmt::format("{:%a %b %e %H:%M:%S %Y}", fmt::gmtime(started)));
}

// In the global options for CBT and in the job's options for fio-plot.
void add_options(JsonLines& json, std::string_view key, const RunRecord& record) {
  json.begin(key);
  for (const auto& [name, value] : fio_options(record)) json.text(name, value);
  json.end();
}

void add_shares(JsonLines& json, std::string_view key, const FioShares& shares) {
  json.begin(key);
  for (const FioShare& share : shares) json.real(share.label, percent * share.part);
  json.end();
}

void add_cpu(JsonLines& json, const RunRecord& record) {
  const double length = seconds(record.measured);
  json.real("usr_cpu", length > 0 ? percent * record.client.user_s / length : 0);
  json.real("sys_cpu", length > 0 ? percent * record.client.system_s / length : 0);
}

void add_job(JsonLines& json, const RunRecord& record) {
  const Cell total = record::total_of(record.kinds);
  const auto error = static_cast<std::uint64_t>(first_error(record, total));
  json.begin();
  json.text("jobname", record.header.plan.pattern.name);
  json.count("groupid", 0);
  json.count("error", error);
  json.count("total_err", total.failed());
  json.count("first_error", error);
  json.count("job_start", timestamp_of(record) * 1000);
  json.count("eta", 0);
  json.count("elapsed", rounded(std::ceil(seconds(record.measured))));
  add_options(json, "job options", record);
  for (const FioDirection direction : fio_directions) add_direction(json, record, direction);
  add_sync(json, record);
  json.count("job_runtime", milliseconds(record.measured));
  add_cpu(json, record);
  add_shares(json, "iodepth_level", fio_depths(record));
  const FioLatencyShares latencies = fio_latencies(record);
  add_shares(json, "latency_ns", latencies.ns);
  add_shares(json, "latency_us", latencies.us);
  add_shares(json, "latency_ms", latencies.ms);
  json.end();
}

}  // namespace

std::string fio_json(const RunRecord& record) {
  JsonLines json;
  json.begin();
  add_head(json, record);
  add_options(json, "global options", record);
  json.begin_list("jobs");
  add_job(json, record);
  json.end();
  json.end();
  return json.whole();
}

}  // namespace radosload::report
