#include "report/compat/kbench.h"

#include <cmath>

#include "report/series_text.h"

#include <fmt/format.h>

namespace radosload::report {

using record::RunRecord;
using record::Series;
using record::SeriesStep;
using record::StepState;

namespace {

constexpr double kib_per_mib = 1024;

// Each test uses the same statistic for reads and for writes.
double figure_of(std::string_view test, const RunRecord& record) {
  const record::Cell total = record::total_of(record.kinds);
  if (test == "IOPS") return record::iops(record, total);
  if (test == "bandwidth") return record::mib_per_s(record, total) * kib_per_mib;
  return total.latency.response().mean();
}

std::optional<double> figure_at(const Series& series, std::string_view test,
                                std::string_view access, std::string_view op) {
  for (const SeriesStep& step : series.steps) {
    if (step.state != StepState::done || step.setting("test") != test ||
        step.setting("access") != access || step.setting("op") != op) {
      continue;
    }
    // Without operations there is no latency; the rate is 0.
    if (test == "latency" && record::total_of(step.record->kinds).ops() == 0) return std::nullopt;
    return figure_of(test, *step.record);
  }
  return std::nullopt;
}

std::string whole(const std::optional<double>& figure) {
  return figure ? fmt::format("{}", std::llround(*figure)) : "-";
}

}  // namespace

std::array<KbenchLine, 6> kbench_lines(const Series& series) {
  std::array<KbenchLine, 6> lines;
  std::size_t i = 0;
  for (const std::string_view test : {"IOPS", "bandwidth", "latency"}) {
    for (const std::string_view access : {"rand", "seq"}) {
      lines.at(i++) = {.test = test,
                       .access = access,
                       .read = figure_at(series, test, access, "read"),
                       .write = figure_at(series, test, access, "write")};
    }
  }
  return lines;
}

std::string_view kbench_head(std::string_view test) {
  if (test == "IOPS") return "IOPS (Read/Write)";
  return test == "bandwidth" ? "Bandwidth in KiB/sec (Read/Write)" : "Latency in ns (Read/Write)";
}

std::string kbench_line_text(const KbenchLine& line) {
  const std::string_view label = line.access == "rand" ? "Random:" : "Sequential:";
  return fmt::format("{:>15}  {:>24}", label,
                     fmt::format("{} / {}", whole(line.read), whole(line.write)));
}

std::string kbench_text(const Series& series) {
  std::string text;
  std::string_view test;
  for (const KbenchLine& line : kbench_lines(series)) {
    if (line.test != test)
      text += fmt::format("{}{}\n", test.empty() ? "" : "\n", kbench_head(line.test));
    test = line.test;
    text += kbench_line_text(line) + "\n";
  }
  return text;
}

}  // namespace radosload::report
