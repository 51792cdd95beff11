#include "report/each_text.h"

#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "report/layout.h"
#include "report/spread.h"
#include "report/time_unit.h"

#include <fmt/format.h>

namespace radosload::report {

using record::RunRecord;
using record::Series;
using record::SeriesStep;
using record::StepState;

namespace {

std::int32_t osd_of(const SeriesStep& step) {
  std::int32_t osd = no_osd;
  const std::string text = step.setting("osd");
  std::from_chars(text.data(), text.data() + text.size(), osd);
  return osd;
}

using FigureOf = std::function<std::optional<double>(const RunRecord&)>;

// "812 (790 .. 840)": the mean of the rounds (the lowest .. the highest).
std::string spread_text(const std::vector<const RunRecord*>& rounds, const FigureOf& figure,
                        const std::function<std::string(double)>& text) {
  std::vector<double> values;
  for (const RunRecord* const record : rounds) {
    if (const auto value = figure(*record)) values.push_back(*value);
  }
  if (values.empty()) return "-";
  const Spread spread = spread_of(values);
  if (values.size() == 1) return text(spread.mean);
  return fmt::format("{} ({} .. {})", text(spread.mean), text(spread.min), text(spread.max));
}

record::Histogram response_of(const RunRecord& record) {
  return record::total_of(record.kinds).latency.response();
}

std::optional<double> mean_latency_of(const RunRecord& record) {
  const auto latency = response_of(record);
  if (latency.empty()) return std::nullopt;
  return latency.mean();
}

record::Ranked p99_ranked(const RunRecord& record) {
  const record::Cell total = record::total_of(record.kinds);
  return record::response_ranks(total).percentile(record::p99);
}

std::optional<double> p99_of(const RunRecord& record) {
  const auto value = p99_ranked(record).exact();
  return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
}

// If the p99 of one round falls among lost operations, only its lower bound is known.
std::string p99_text(const std::vector<const RunRecord*>& rounds, TimeUnit unit) {
  record::Ranked worst;
  for (const RunRecord* const record : rounds) {
    const record::Ranked p99 = p99_ranked(*record);
    if (p99.kind == record::Ranked::Kind::beyond && p99.ns >= worst.ns) worst = p99;
  }
  if (worst.kind == record::Ranked::Kind::beyond) return ranked_in_unit(worst, unit);
  return spread_text(rounds, p99_of, [unit](double ns) { return in_unit(ns, unit); });
}

TimeUnit unit_of_rounds(const Series& series) {
  std::vector<LatencyCells> latencies;
  for (const SeriesStep& step : series.steps) {
    if (!step.record) continue;
    latencies.emplace_back(record::total_of(step.record->kinds), LatencyCells::Of::response,
                           std::vector<record::Quantile>{record::p99});
  }
  return unit_of(latencies);
}

double iops_of(const RunRecord& record) {
  return record::iops(record, record::total_of(record.kinds));
}

}  // namespace

std::string each_text(const Series& series) {
  std::map<std::int32_t, std::vector<const RunRecord*>> osds;
  for (const SeriesStep& step : series.steps) {
    auto& rounds = osds[osd_of(step)];
    if (step.state == StepState::done && step.record) rounds.push_back(&*step.record);
  }
  const TimeUnit unit = unit_of_rounds(series);
  const auto time_of = [unit](double ns) { return in_unit(ns, unit); };
  Table table({{"OSD", Align::left}, {"rounds"}, {"IOPS"}, {"mean"}, {"p99"}, {"failed"}});
  for (const auto& [osd, rounds] : osds) {
    std::uint64_t failed = 0;
    for (const RunRecord* const record : rounds) failed += record::total_of(record->kinds).failed();
    table.add({fmt::format("osd.{}", osd), std::to_string(rounds.size()),
               spread_text(rounds, iops_of, rate_text),
               spread_text(rounds, mean_latency_of, time_of), p99_text(rounds, unit),
               grouped(failed)});
  }
  return fmt::format("  Mean of the rounds (lowest .. highest), latency in {}:\n{}", unit.name,
                     table.text(indent));
}

}  // namespace radosload::report
