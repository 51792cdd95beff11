#include "report/prometheus.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "radosload/outcome.h"

#include "base/label_value.h"
#include "record/ranks.h"

#include <fmt/format.h>

namespace radosload::report {

using record::Cell;
using record::Histogram;
using record::RunRecord;

namespace {

constexpr double ns_in_second = 1e9;
constexpr double bytes_in_mib = 1024.0 * 1024.0;

using Labels = std::vector<std::pair<std::string, std::string>>;

// The name of a label has letters, digits and _ only. Two keys may become the same name, which may
// appear only once.
std::string label_name(std::string_view key, const Labels& there) {
  const auto letter = [](char c) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return good ? c : '_';
  };
  std::string name = "label_";
  std::transform(key.begin(), key.end(), std::back_inserter(name), letter);
  const auto taken = [&there](const std::string& wanted) {
    return std::any_of(there.begin(), there.end(),
                       [&](const auto& label) { return label.first == wanted; });
  };
  std::string free = name;
  for (int i = 2; taken(free); ++i) free = fmt::format("{}_{}", name, i);
  return free;
}

// All samples of one metric must follow its HELP and TYPE lines.
class Exposition {
 public:
  explicit Exposition(const RunRecord& record)
      : m_common(
            {{"pool", record.header.plan.pool}, {"pattern", record.header.plan.pattern.name}}) {
    for (const auto& [key, value] : record.header.plan.labels) {
      m_common.emplace_back(label_name(key, m_common), value);
    }
  }

  void metric(std::string_view name, std::string_view type, std::string_view help) {
    m_name = name;
    fmt::format_to(std::back_inserter(m_text), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help,
                   type);
  }
  void sample(double value, const Labels& labels = {}, std::string_view suffix = "") {
    m_text += m_name;
    m_text += suffix;
    m_text += '{';
    add_labels(m_common);
    add_labels(labels);
    m_text.back() = '}';  // replaces the last comma
    fmt::format_to(std::back_inserter(m_text), " {}\n", value);
  }
  void count(std::uint64_t value, const Labels& labels = {}, std::string_view suffix = "") {
    sample(static_cast<double>(value), labels, suffix);
  }
  std::string whole() { return std::move(m_text); }

 private:
  void add_labels(const Labels& labels) {
    for (const auto& [name, value] : labels) {
      fmt::format_to(std::back_inserter(m_text), "{}=\"{}\",", name, base::label_value(value));
    }
  }

  Labels m_common;
  std::string m_name;
  std::string m_text;
};

Labels of_op(const Cell& cell) {
  return {{"op", std::string(op_kind_name(cell.kind))}};
}

void add_run(Exposition& text, const RunRecord& record) {
  text.metric("radosload_run_info", "gauge", "The run that the other figures are of; always 1.");
  text.sample(1, {{"run_id", record.header.run_id},
                  {"started", record.header.started},
                  {"program", record.header.program},
                  {"status", std::string(record::status_name(record.status))},
                  {"grade", std::string(record::grade_name(record.grade.value))}});
  text.metric("radosload_run_complete", "gauge",
              "1 when the run lasted as long as asked for, 0 when it ended early.");
  text.sample(record.status == record::RunStatus::complete ? 1 : 0);
  text.metric("radosload_run_grade", "gauge",
              "1 for the grade of the run, 0 for the other grades.");
  for (const auto grade : {record::GradeValue::clean, record::GradeValue::contaminated,
                           record::GradeValue::void_run, record::GradeValue::unwatched}) {
    text.sample(record.grade.value == grade ? 1 : 0,
                {{"grade", std::string(record::grade_name(grade))}});
  }
  text.metric("radosload_run_measured_seconds", "gauge", "Length of the measured phase.");
  text.sample(seconds(record.measured));
  text.metric("radosload_client_cpu_seconds", "gauge",
              "CPU time of the client during the measured phase.");
  text.sample(record.client.user_s, {{"mode", "user"}});
  text.sample(record.client.system_s, {{"mode", "system"}});
  text.metric("radosload_client_peak_rss_bytes", "gauge", "Peak memory of the client.");
  text.sample(std::round(record.client.peak_rss_mib * bytes_in_mib));
}

void add_rates(Exposition& text, const RunRecord& record) {
  text.metric("radosload_operations_per_second", "gauge",
              "Operations finished per second of the measured phase.");
  for (const Cell& cell : record.kinds) text.sample(record::iops(record, cell), of_op(cell));
  text.metric("radosload_bytes_per_second", "gauge",
              "Bytes moved per second of the measured phase.");
  for (const Cell& cell : record.kinds) {
    text.sample(record::mib_per_s(record, cell) * bytes_in_mib, of_op(cell));
  }
}

void add_counts(Exposition& text, const RunRecord& record) {
  text.metric("radosload_operations", "gauge",
              "Operations sent in the measured phase that succeeded.");
  for (const Cell& cell : record.kinds) text.count(cell.ops(), of_op(cell));
  text.metric("radosload_failed_operations", "gauge", "Operations that failed.");
  for (const Cell& cell : record.kinds) text.count(cell.failed(), of_op(cell));
  text.metric("radosload_lost_operations", "gauge",
              "Operations that were cancelled, timed out, never answered or never sent.");
  for (const Cell& cell : record.kinds) text.count(cell.lost.ops(), of_op(cell));
  const Cell total = record::total_of(record.kinds);
  if (total.errors.empty()) return;
  text.metric("radosload_errors", "gauge", "Operations that failed, by error.");
  for (const Cell& cell : record.kinds) {
    for (const record::ErrorCount& error : cell.errors) {
      Labels labels = of_op(cell);
      labels.emplace_back("error", rc_name(error.rc));
      text.count(error.count, labels);
    }
  }
}

// Quantiles count lost operations as the slowest; a quantile with too few operations is left out.
// Sum and count include answered operations only.
void add_quantiles(Exposition& text, const Cell& cell, const Histogram& answered,
                   const record::Ranks& ranks) {
  static constexpr std::array<std::pair<const char*, record::Quantile>, 6> quantiles = {
      {{"0.5", record::p50},
       {"0.9", record::p90},
       {"0.95", record::p95},
       {"0.99", record::p99},
       {"0.999", record::p999},
       {"0.9999", record::p9999}}};
  for (const auto& [name, quantile] : quantiles) {
    const auto ns = ranks.percentile(quantile).exact();
    if (!ns) continue;
    Labels labels = of_op(cell);
    labels.emplace_back("quantile", name);
    text.sample(static_cast<double>(*ns) / ns_in_second, labels);
  }
  text.sample(static_cast<double>(answered.sum()) / ns_in_second, of_op(cell), "_sum");
  text.count(answered.count(), of_op(cell), "_count");
}

void add_latencies(Exposition& text, const RunRecord& record) {
  text.metric("radosload_response_seconds", "summary",
              "Response time: from when an operation was due until its answer.");
  for (const Cell& cell : record.kinds) {
    add_quantiles(text, cell, cell.latency.response(), record::response_ranks(cell));
  }
  text.metric("radosload_service_seconds", "summary",
              "Service time: from when an operation was sent until its answer.");
  for (const Cell& cell : record.kinds) {
    add_quantiles(text, cell, cell.latency.service(), record::service_ranks(cell));
  }
  text.metric("radosload_response_max_seconds", "gauge", "The longest response time.");
  for (const Cell& cell : record.kinds) {
    if (const auto ns = record::response_ranks(cell).max().exact()) {
      text.sample(static_cast<double>(*ns) / ns_in_second, of_op(cell));
    }
  }
}

// Only of a run that measured its power.
void prometheus_energy(Exposition& text, const RunRecord& record) {
  if (!record.energy) return;
  const auto watts = record::mean_watts(*record.energy);
  if (watts) {
    text.metric("radosload_power_watts", "gauge", "Mean power during the measured phase.");
    text.sample(*watts);
  }
  if (record.energy->idle_w) {
    text.metric("radosload_idle_power_watts", "gauge", "Power without load, before the run.");
    text.sample(*record.energy->idle_w);
  }
  const auto add = [&](const char* name, const char* help, const auto& joules) {
    if (!joules) return;
    text.metric(name, "gauge", help);
    text.sample(joules->value);
  };
  add("radosload_joules_per_operation", "Energy of an operation.", record.energy->joules_per_op);
  add("radosload_net_joules_per_operation", "Energy of an operation above the power without load.",
      record.energy->net_joules_per_op);
}

}  // namespace

std::string prometheus_text(const RunRecord& record) {
  Exposition text(record);
  add_run(text, record);
  add_rates(text, record);
  add_counts(text, record);
  add_latencies(text, record);
  prometheus_energy(text, record);
  return text.whole();
}

}  // namespace radosload::report
