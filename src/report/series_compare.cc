#include "report/series_compare.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "radosload/printable.h"

#include "report/compare.h"
#include "report/compat/kbench.h"
#include "report/facts.h"
#include "report/layout.h"
#include "report/series_text.h"
#include "report/time_unit.h"

#include <fmt/format.h>

namespace radosload::report {

using record::RunRecord;
using record::Series;
using record::SeriesStep;
using record::StepState;

namespace {

// "+12.3%"; "-" when a value is missing or the first is 0.
std::string change(std::optional<double> from, std::optional<double> to) {
  if (!from || !to || *from == 0) return "-";
  constexpr double percent = 100;
  return fmt::format("{:+.1f}%", (*to / *from - 1) * percent);
}

std::string values(std::optional<double> read, std::optional<double> write) {
  const auto whole = [](std::optional<double> value) {
    return value ? fmt::format("{}", std::llround(*value)) : "-";
  };
  return fmt::format("{} / {}", whole(read), whole(write));
}

// "  Random:  98368 / 89200  vs  41431 / 18789  :  -57.9% / -78.9%"
std::string kbench_pair(const Series& one, const Series& other) {
  std::string text;
  std::string_view test;
  const auto lines = kbench_lines(one);
  const auto against = kbench_lines(other);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const KbenchLine& a = lines.at(i);
    const KbenchLine& b = against.at(i);
    if (a.test != test) {
      text += fmt::format("{}{}\n", test.empty() ? "" : "\n", kbench_head(a.test));
    }
    test = a.test;
    text += fmt::format("{}  vs {:>24}  : {:>17}\n", kbench_line_text(a), values(b.read, b.write),
                        fmt::format("{} / {}", change(a.read, b.read), change(a.write, b.write)));
  }
  return text;
}

std::optional<double> percentile_ns(const RunRecord& record, record::Quantile quantile) {
  const record::Cell total = record::total_of(record.kinds);
  const auto ns = record::response_ranks(total).percentile(quantile).exact();
  return ns ? std::optional(static_cast<double>(*ns)) : std::nullopt;
}

// One figure of both series and its change, step by step.
struct ComparedFigure {
  const char* name;
  std::function<std::optional<double>(const RunRecord&)> of;
  std::function<std::string(double)> text;
};

TimeUnit unit_of_pairs(const std::vector<StepPair>& pairs) {
  std::vector<LatencyCells> latencies;
  for (const StepPair& pair : pairs) {
    for (const SeriesStep* const step : {pair.one, pair.other}) {
      latencies.emplace_back(record::total_of(step->record->kinds), LatencyCells::Of::response,
                             std::vector<record::Quantile>{record::p99});
    }
  }
  return unit_of(latencies);
}

// p99.99 needs so many operations that few sweeps have one: if none has, the column is left out.
std::vector<ComparedFigure> compared_figures(const std::vector<StepPair>& pairs, TimeUnit unit) {
  const auto time = [unit](double ns) { return in_unit(ns, unit); };
  std::vector<ComparedFigure> figures = {
      {"IOPS",
       [](const RunRecord& record) {
         return std::optional(record::iops(record, record::total_of(record.kinds)));
       },
       rate_text},
      {"p99", [](const RunRecord& record) { return percentile_ns(record, record::p99); }, time}};
  const auto p9999 = [](const RunRecord& record) { return percentile_ns(record, record::p9999); };
  const bool known = std::any_of(pairs.begin(), pairs.end(), [&](const StepPair& pair) {
    return p9999(*pair.one->record) || p9999(*pair.other->record);
  });
  if (known) figures.push_back({"p99.99", p9999, time});
  return figures;
}

std::string step_table(const std::vector<StepPair>& pairs, char name) {
  const TimeUnit unit = unit_of_pairs(pairs);
  const auto figures = compared_figures(pairs, unit);
  std::vector<Table::Column> columns = {{"step", Align::left}};
  for (const ComparedFigure& figure : figures) {
    columns.push_back({fmt::format("{} A", figure.name)});
    columns.push_back({fmt::format("{} {}", figure.name, name)});
    columns.push_back({"change"});
  }
  Table table(std::move(columns));
  for (const StepPair& pair : pairs) {
    std::vector<std::string> cells = {pair.one->name};
    for (const ComparedFigure& figure : figures) {
      const auto from = figure.of(*pair.one->record);
      const auto to = figure.of(*pair.other->record);
      cells.push_back(from ? figure.text(*from) : "-");
      cells.push_back(to ? figure.text(*to) : "-");
      cells.push_back(change(from, to));
    }
    table.add(std::move(cells));
  }
  return fmt::format("  Latency in {}:\n{}", unit.name, table.text(indent));
}

// All other differences, each listed once for all its steps.
std::vector<std::string> differences(const std::vector<StepPair>& pairs) {
  std::vector<std::string> found;
  for (const StepPair& pair : pairs) {
    for (const std::string& warning : compare({*pair.one->record, *pair.other->record}).warnings) {
      if (std::find(found.begin(), found.end(), warning) == found.end()) found.push_back(warning);
    }
  }
  return found;
}

std::string left_out(const Series& one, const Series& other, std::size_t compared) {
  const std::size_t most = std::max(one.steps.size(), other.steps.size());
  if (compared == most) return {};
  return paragraph("note",
                   fmt::format("{} of {} compared; the others are not done in both series",
                               compared, counted(most, "step")),
                   2, 9);
}

}  // namespace

Result<std::vector<StepPair>> common_steps(const Series& one, const Series& other) {
  std::vector<StepPair> pairs;
  for (const SeriesStep& step : one.steps) {
    const auto same = std::find_if(other.steps.begin(), other.steps.end(),
                                   [&](const SeriesStep& s) { return s.name == step.name; });
    if (same == other.steps.end()) continue;
    if (step.state == StepState::done && same->state == StepState::done) {
      pairs.push_back({&step, &*same});
    }
  }
  if (!pairs.empty()) return pairs;
  return fail({.attempt = fmt::format("compare series {} with", one.id),
               .subject = other.id,
               .reason = "they have no step in common that both have done",
               .hint = "series of the same lists, or the same suite, can be compared",
               .exit = Exit::usage});
}

Result<std::string> compare_series_text(const std::vector<Series>& series) {
  const Series& first = series.front();
  const auto letter = [](std::size_t i) { return static_cast<char>('A' + i % 26); };
  std::string text;
  for (std::size_t i = 0; i < series.size(); ++i) {
    text += fmt::format("  {}  {}  {}, {}\n", letter(i), printable(series[i].id),
                        printable(place_of(series[i])), printable(series[i].title));
  }
  for (std::size_t i = 1; i < series.size(); ++i) {
    const Series& other = series[i];
    RADOSLOAD_ASSIGN(const auto pairs, common_steps(first, other));
    text += series.size() > 2 ? fmt::format("\nA vs {}\n\n", letter(i)) : "\n";
    const bool kbench = first.suite == kbench_name && other.suite == kbench_name;
    text += (kbench ? kbench_pair(first, other) : step_table(pairs, letter(i))) + "\n";
    text += left_out(first, other, pairs.size());
    for (const std::string& warning : differences(pairs))
      text += paragraph("warning", warning, 2, 9);
  }
  return text + no_verdict();
}

}  // namespace radosload::report
