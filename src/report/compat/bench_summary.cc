#include "report/compat/bench_summary.h"

#include <algorithm>

#include "report/compat/with_lost.h"
#include "report/spread.h"

#include <fmt/format.h>

namespace radosload::report {

using record::Histogram;
using record::RunRecord;
using record::TimelineRow;

namespace {

constexpr double ns_per_s = 1e9;

enum class Form : std::uint8_t { write, read, other };

Form form_of(const RunRecord& record) {
  if (record.kinds.size() == 1 && record.kinds[0].kind == OpKind::write) return Form::write;
  if (record.kinds.size() == 1 && record.kinds[0].kind == OpKind::read) return Form::read;
  // Nothing was measured, so the requested pattern decides.
  const Pattern& pattern = record.header.plan.pattern;
  const bool both = pattern.reads_data() && pattern.writes_data();
  if (!record.kinds.empty() || pattern.name.empty() || !pattern.is_data() || both) {
    return Form::other;
  }
  return pattern.reads_data() ? Form::read : Form::write;
}

// "writes made", "Write size", ... are made of these.
std::string plural(Form form) {
  return form == Form::write ? "writes" : form == Form::read ? "reads" : "ops";
}
std::string singular(Form form) {
  return form == Form::write ? "Write" : form == Form::read ? "Read" : "Op";
}

std::string lower(std::string text) {
  for (char& letter : text)
    letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
  return text;
}

std::string real(double value) {
  return fmt::format("{:.6g}", value);
}
std::string fixed(double value) {
  return fmt::format("{:.6f}", value);
}

struct PerSecond {
  std::vector<double> mb;
  std::vector<double> iops;
};

PerSecond per_second(const RunRecord& record) {
  PerSecond result;
  for (const TimelineRow* row : full_seconds(record)) {
    const double length = seconds(row->length);
    result.mb.push_back(static_cast<double>(row->all.bytes) / bytes_per_mb / length);
    result.iops.push_back(static_cast<double>(row->all.ops) / length);
  }
  return result;
}

using Entries = std::vector<BenchSummary::Entry>;

void add_count(Entries& entries, std::string label, std::string key, std::uint64_t value) {
  const std::string text = fmt::format("{}", value);
  entries.push_back({std::move(label), text, std::move(key), text});
}

void add_real(Entries& entries, std::string label, std::string key, double value) {
  entries.push_back({std::move(label), real(value), std::move(key), fixed(value)});
}

// rados bench cuts off fractions in these figures.
std::uint64_t cut_off(double value) {
  return static_cast<std::uint64_t>(std::max(0.0, value));
}

// rados bench divides all that was sent by the time until the last answer.
double until_last_answer(const RunRecord& record, double amount) {
  return record.last_answer > Time(0) ? amount / seconds(record.last_answer) : 0;
}

void add_bandwidth(Entries& entries, const RunRecord& record, const PerSecond& rows, Form form) {
  const auto bytes = static_cast<double>(record::total_of(record.kinds).bytes);
  add_real(entries, "Bandwidth (MB/sec)", "bandwidth",
           until_last_answer(record, bytes / bytes_per_mb));
  if (form == Form::read) return;
  const Spread mb = spread_of(rows.mb);
  add_real(entries, "Stddev Bandwidth", "stddev_bandwidth", mb.deviation);
  add_real(entries, "Max bandwidth (MB/sec)", "max_bandwidth", mb.max);
  add_real(entries, "Min bandwidth (MB/sec)", "min_bandwidth", mb.min);
}

void add_iops(Entries& entries, const RunRecord& record, const PerSecond& rows) {
  const Spread spread = spread_of(rows.iops);
  const auto ops = static_cast<double>(record::total_of(record.kinds).ops());
  add_count(entries, "Average IOPS", "average_iops", cut_off(until_last_answer(record, ops)));
  add_real(entries, "Stddev IOPS", "stddev_iops", spread.deviation);
  add_count(entries, "Max IOPS", "max_iops", cut_off(spread.max));
  add_count(entries, "Min IOPS", "min_iops", cut_off(spread.min));
}

void add_latency(Entries& entries, const Histogram& histogram, Form form) {
  add_real(entries, "Average Latency(s)", "average_latency", histogram.mean() / ns_per_s);
  if (form != Form::read) {
    add_real(entries, "Stddev Latency(s)", "stddev_latency", histogram.stddev() / ns_per_s);
  }
  add_real(entries, "Max latency(s)", "max_latency",
           static_cast<double>(histogram.max()) / ns_per_s);
  add_real(entries, "Min latency(s)", "min_latency",
           static_cast<double>(histogram.min()) / ns_per_s);
}

// The lines before a write run. rados bench prints none before a read run.
void add_head(BenchSummary& summary, const RunRecord& record, Form form) {
  const RunPlan& plan = record.header.plan;
  const auto limit = cut_off(seconds(plan.extent.time));
  const std::string prefix = "radosload_" + record.header.run_id;
  const std::string ops = fmt::format("{}", plan.extent.ops);
  const std::string depth = fmt::format("{}", plan.pattern.queue_depth);
  const std::uint64_t block = plan.pattern.block_size.count;
  const std::uint64_t object = plan.pattern.object_size.count;
  summary.preamble = fmt::format(
      "Maintaining {} concurrent {} of {} bytes to objects of size {} for up to {} seconds or {} "
      "objects\nObject prefix: {}\n",
      depth, plural(form), block, object, limit, ops, prefix);
  Entries& head = summary.json_head;
  head.push_back({{}, {}, "concurrent_ios", depth});
  add_count(head, {}, "object_size", object);
  add_count(head, {}, "op_size", block);
  add_count(head, {}, "seconds_to_run", limit);
  head.push_back({{}, {}, "max_objects", ops});
  head.push_back({{}, {}, "object_prefix", prefix});
}

}  // namespace

BenchSummary bench_summary(const RunRecord& record) {
  const Form form = form_of(record);
  const record::Cell total = record::total_of(record.kinds);
  const PerSecond rows = per_second(record);
  BenchSummary summary;
  summary.column = form == Form::read ? 22 : 24;
  const Pattern& pattern = record.header.plan.pattern;
  const bool planned = !pattern.name.empty();
  if (form != Form::read && planned) add_head(summary, record, form);

  Entries& entries = summary.entries;
  add_real(entries, "Total time run", "total_time_run", seconds(record.last_answer));
  add_count(entries, fmt::format("Total {} made", plural(form)),
            fmt::format("total_{}_made", plural(form)), total.ops());
  // A JSON object has each key once: a size that the head already names is not repeated.
  add_count(entries, singular(form) + " size",
            form == Form::other ? "" : lower(singular(form)) + "_size", pattern.block_size.count);
  // A record that was made from a trace has no plan, so figures that need one are left out.
  if (planned) {
    add_count(entries, "Object size", form == Form::read ? "object_size" : "",
              pattern.object_size.count);
  }
  add_bandwidth(entries, record, rows, form);
  add_iops(entries, record, rows);
  add_latency(entries, service_with_lost(total), form);
  return summary;
}

}  // namespace radosload::report
