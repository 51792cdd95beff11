#include "report/series_compare.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "radosload/printable.h"

#include "report/compare.h"
#include "report/compat/kbench.h"
#include "report/facts.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

using record::RunRecord;
using record::Series;
using record::SeriesStep;
using record::StepState;

namespace {

// "+12.3%"; "-" when there is nothing to compare or to divide by.
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

std::optional<double> p99_ns(const RunRecord& record) {
  const record::Cell total = record::total_of(record.kinds);
  const auto ns = record::response_ranks(total).percentile(record::p99).exact();
  return ns ? std::optional(static_cast<double>(*ns)) : std::nullopt;
}

std::string latency_cell(std::optional<double> ns) {
  return ns ? human_text(Time(std::llround(*ns))) : "-";
}

std::string step_table(const std::vector<StepPair>& pairs, char name) {
  const auto titled = [&](const char* what, char series) {
    return Table::Column{fmt::format("{} {}", what, series)};
  };
  Table table({{"step", Align::left},
               titled("IOPS", 'A'),
               titled("IOPS", name),
               {"change"},
               titled("p99", 'A'),
               titled("p99", name),
               {"change"}});
  for (const StepPair& pair : pairs) {
    const RunRecord& a = *pair.one->record;
    const RunRecord& b = *pair.other->record;
    const double from = record::iops(a, record::total_of(a.kinds));
    const double to = record::iops(b, record::total_of(b.kinds));
    const auto slow_from = p99_ns(a);
    const auto slow_to = p99_ns(b);
    table.add({pair.one->name, rate_text(from), rate_text(to), change(from, to),
               latency_cell(slow_from), latency_cell(slow_to), change(slow_from, slow_to)});
  }
  return table.text(2);
}

// What else differs, each thing once however many steps it holds for.
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
                   fmt::format("{} of {} compared: the others are not in both, or not done in both",
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
    RunRecord planned;
    if (!series[i].steps.empty()) planned.header.plan = series[i].steps.front().plan;
    text += fmt::format("  {}  {}  {}, {}\n", letter(i), printable(series[i].id),
                        printable(where_text(planned)), printable(series[i].title));
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
