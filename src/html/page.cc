// The page of one run.
#include "html/page.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "html/buckets.h"
#include "html/charts.h"
#include "html/data.h"
#include "html/elements.h"
#include "html/escape.h"
#include "html/facts.h"
#include "html/over_time.h"
#include "html/pictures.h"
#include "html/sheets.h"
#include "record/ranks.h"
#include "report/causes/causes_text.h"
#include "report/client_text.h"
#include "report/counters_text.h"
#include "report/energy_text.h"
#include "report/facts.h"
#include "report/layout.h"
#include "report/members_text.h"
#include "report/osd_figures_text.h"
#include "report/routing_text.h"
#include "report/slowest_text.h"
#include "report/timeline_picture.h"

#include <fmt/format.h>

namespace radosload::html {

using record::Cell;
using record::RunRecord;

namespace {

// Enough for a screen; longer runs share them.
constexpr std::size_t time_columns = 240;
constexpr std::size_t chart_columns = 2000;  // of charts that can be zoomed
constexpr std::size_t heat_columns = 120;
constexpr std::size_t heat_rows = 40;
constexpr std::size_t most_osd_curves = 20;

std::string run_head(const RunRecord& record) {
  return fmt::format("<h1>{}</h1>\n<p class=\"{}\">Grade: {}</p>\n", escaped(headline(record)),
                     grade_class(record.grade.value), escaped(report::grade_text(record.grade))) +
         word_table("The run",
                    word_row("pattern", report::pattern_text(record.header.plan)) +
                        word_row("load", report::load_text(record.header.plan)) +
                        word_row("pinned", report::pins_text(record)) +
                        word_row("measured", report::measured_text(record)) +
                        word_row("labels", report::labels_text(record.header.plan.labels)) +
                        word_row("run", fmt::format("{}, {}, {}", record.header.run_id,
                                                    record.header.started, record.header.program)));
}

// What the text report says below its tables.
std::string notes(const RunRecord& record) {
  return word_table("Notes", word_row("verdict", report::etcd_text(record)) +
                                 word_row("slowest OSD", report::slowest_text(record)) +
                                 word_row("acting sets", report::acting_text(record)) +
                                 word_row("writes", report::led_text(record)) +
                                 word_row("routing", report::routing_text(record)) +
                                 word_row("power", report::power_text(record)) +
                                 word_row("energy", report::energy_text(record)) +
                                 word_row("IOPS per watt", report::efficiency_text(record)) +
                                 word_row("client", report::client_text(record)));
}

FigureRow figures_row(const RunRecord& record, const std::string& name, const Cell& cell) {
  const record::Ranks ranks = record::response_ranks(cell);
  FigureRow row{.cells = {name, report::grouped(cell.ops()),
                          report::rate_text(record::iops(record, cell)),
                          report::rate_text(record::mib_per_s(record, cell))}};
  for (const record::Quantile quantile :
       {record::p50, record::p90, record::p99, record::p999, record::p9999}) {
    row.cells.push_back(report::ranked_text(ranks.percentile(quantile)));
  }
  row.cells.push_back(report::ranked_text(ranks.max()));
  row.cells.push_back(report::grouped(cell.failed()));
  return row;
}

std::string key_figures(const RunRecord& record) {
  if (record.kinds.empty()) return "<p>No operation was measured.</p>\n";
  std::vector<FigureRow> rows;
  for (const Cell& cell : record.kinds) {
    rows.push_back(figures_row(record, report::kind_text(cell.kind), cell));
  }
  if (record.kinds.size() > 1) {
    rows.push_back(figures_row(record, "all", record::total_of(record.kinds)));
  }
  return figure_table(
      "Key figures",
      "Response times, from when each operation was due; - where there are too few operations",
      {"", "operations", "IOPS", "MiB/s", "p50", "p90", "p99", "p99.9", "p99.99", "max", "failed"},
      rows);
}

std::string curves(const RunRecord& record) {
  std::vector<NamedCell> kinds;
  for (const Cell& cell : record.kinds) {
    kinds.push_back({std::string(op_kind_name(cell.kind)), cell});
  }
  const auto osds = slowest_osds(record.osds, most_osd_curves);
  const std::string picture = percentile_curves("curves", kinds, osds);
  if (picture.empty()) return {};
  return figure("Percentile curves", picture,
                "A thick line for each kind of operation, a thin one for each of the slowest "
                "OSDs. A line ends where there are too few operations.") +
         (osds.empty() ? "" : folded("Percentiles of these OSDs", percentile_table(osds)));
}

std::string heat(const RunRecord& record) {
  const Buckets coarse = buckets_of(record, heat_columns, heat_rows);
  const std::string left_out =
      coarse.osds_left_out == 0 ? ""
                                : fmt::format(" {} with faster slowest operations are not shown.",
                                              report::counted(coarse.osds_left_out, "OSD"));
  return figure("Heat map", heat_map(coarse),
                "From violet (fast) to red (slow), on a log scale; at the right the slowest "
                "operation of the row." +
                    left_out);
}

std::string events_list(const std::vector<report::Mark>& marks) {
  std::vector<std::string> lines;
  lines.reserve(marks.size());
  for (const report::Mark& mark : marks) {
    lines.push_back(fmt::format("{:.1f} s: {}", mark.at_s, mark.text));
  }
  return list(lines, "ol");
}

}  // namespace

std::string over_time(const std::string& name, const RunRecord& record, std::size_t columns) {
  auto marks = report::marks_of(record);
  const std::string picture =
      time_picture(name, marks, buckets_of(record, std::min(columns, time_columns), 0));
  if (picture.empty()) return {};
  const std::string lines =
      marks.empty() ? "" : "Dashed vertical lines are the events listed below.";
  const std::string listed = events_list(marks);
  marks.resize(std::min(marks.size(), most_lines));
  return figure("Throughput and response time", picture, lines,
                chart_element(buckets_of(record, columns, 0), marks)) +
         listed;
}

std::string page(const RunRecord& record) {
  const std::vector<ShownRun> only = {{record.header.run_id, &record}};
  const std::string body =
      run_head(record) + section("Warnings and errors", list(warnings_of(record), "ul")) +
      section("Key figures", key_figures(record) + notes(record)) +
      section("What explains the figures", sheet_of(report::explanation_sheet(record))) +
      section("Response time by percentile", curves(record)) +
      section("Over time", over_time("time", record, chart_columns)) +
      section("Slowest operation over time", heat(record)) +
      section("Members of the session", sheet_of(report::members_sheet(record))) +
      section("OSDs", sheet_of(report::osds_sheet(record))) +
      section("What the OSDs did, and where the time went",
              sheet_of(report::counters_sheet(record.counters, &record))) +
      section("Slowest operations",
              sheet_of(report::slowest_sheet(record)) +
                  word_table("The search for them",
                             word_row("found", report::slow_search_text(record)))) +
      section("What was measured on", inventory(only)) +
      section("How to repeat it", settings_of(only));
  return document(headline(record), body, data_element({.runs = {&record}}));
}

}  // namespace radosload::html
