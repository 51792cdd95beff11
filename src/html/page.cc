#include "html/page.h"

#include <string_view>
#include <utility>
#include <vector>

#include "html/buckets.h"
#include "html/escape.h"
#include "html/pictures.h"
#include "html/style.h"
#include "plan/options.h"
#include "record/ranks.h"
#include "report/counters_text.h"
#include "report/facts.h"
#include "report/layout.h"
#include "report/osds_text.h"
#include "report/slowest_text.h"
#include "report/timeline_picture.h"

#include <fmt/format.h>

namespace radosload::html {

using record::Cell;
using record::RunRecord;

namespace {

// Enough for a screen; longer runs share them.
constexpr std::size_t time_columns = 240;
constexpr std::size_t heat_columns = 120;
constexpr std::size_t heat_rows = 40;
// Lists of a long run are cut, and the page says so.
constexpr std::size_t most_lines = 100;

std::string section(std::string_view title, const std::string& body) {
  if (body.empty()) return {};
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", title, body);
}

// Wide contents scroll by themselves; tabindex lets the keyboard do so.
std::string scrolled(std::string_view name, const std::string& body) {
  return fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{}</div>\n", name,
      body);
}

std::string figure(std::string_view name, const std::string& picture, std::string_view caption) {
  if (picture.empty()) return {};
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
                     scrolled(name, picture), escaped(caption));
}

std::string preformatted(std::string_view name, const std::string& text) {
  if (text.empty()) return {};
  return scrolled(name, "<pre>" + escaped(text) + "</pre>\n");
}

// ---- the head ----

std::string_view grade_class(record::GradeValue grade) {
  switch (grade) {
    case record::GradeValue::clean:
      return "clean";
    case record::GradeValue::contaminated:
      return "contaminated";
    case record::GradeValue::void_run:
      return "void";
    case record::GradeValue::unwatched:
      break;
  }
  return "soft";
}

std::string headline(const RunRecord& record) {
  const Cell total = record::total_of(record.kinds);
  const std::string p99 =
      report::ranked_text(record::response_ranks(total).percentile(record::p99));
  return fmt::format("{}: {} IOPS, {} MiB/s, p99 {}", report::where_text(record),
                     report::rate_text(record::iops(record, total)),
                     report::rate_text(record::mib_per_s(record, total)), p99);
}

std::string word_row(std::string_view name, const std::string& text) {
  if (text.empty()) return {};
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(name),
                     escaped(text));
}

std::string head(const RunRecord& record) {
  std::string measured = fmt::format("{:.1f} s", seconds(record.measured));
  if (record.status != record::RunStatus::complete) {
    measured += fmt::format(", {}", record::status_name(record.status));
  }
  if (record.ended_by != record::EndedBy::nothing) {
    measured += fmt::format(", ended by {}", record::ended_by_name(record.ended_by));
  }
  return fmt::format("<h1>{}</h1>\n<p class=\"{}\">Grade: {}</p>\n<table class=\"words\">\n",
                     escaped(headline(record)), grade_class(record.grade.value),
                     escaped(report::grade_text(record.grade))) +
         word_row("pattern", report::pattern_text(record)) +
         word_row("load", report::load_text(record)) +
         word_row("pinned", report::pins_text(record)) + word_row("measured", measured) +
         word_row("cluster", record.header.environment.fsid) +
         word_row("Ceph", report::versions_text(record)) +
         word_row("client", record.header.environment.client.host) +
         word_row("labels", report::labels_text(record.header.plan.labels)) +
         word_row("run", fmt::format("{}, {}, {}", record.header.run_id, record.header.started,
                                     record.header.program)) +
         "</table>\n";
}

// ---- key figures ----

std::string figures_row(const RunRecord& record, const std::string& name, const Cell& cell) {
  const record::Ranks ranks = record::response_ranks(cell);
  std::string row = fmt::format("<tr><th scope=\"row\">{}</th>", escaped(name));
  const auto add = [&](const std::string& text) {
    row += fmt::format("<td>{}</td>", escaped(text));
  };
  add(report::grouped(cell.ops()));
  add(report::rate_text(record::iops(record, cell)));
  add(report::rate_text(record::mib_per_s(record, cell)));
  for (const record::Quantile quantile :
       {record::p50, record::p90, record::p99, record::p999, record::p9999}) {
    add(report::ranked_text(ranks.percentile(quantile)));
  }
  add(report::ranked_text(ranks.max()));
  add(report::grouped(cell.failed()));
  return row + "</tr>\n";
}

std::string key_figures(const RunRecord& record) {
  if (record.kinds.empty()) return "<p>No operation was measured.</p>\n";
  std::string rows;
  for (const Cell& cell : record.kinds) {
    rows += figures_row(record, report::kind_text(cell.kind), cell);
  }
  if (record.kinds.size() > 1) rows += figures_row(record, "all", record::total_of(record.kinds));
  std::string heads = "<td></td>";
  for (const std::string_view name :
       {"operations", "IOPS", "MiB/s", "p50", "p90", "p99", "p99.9", "p99.99", "max", "failed"}) {
    heads += fmt::format("<th scope=\"col\">{}</th>", name);
  }
  return scrolled("Key figures",
                  fmt::format("<table>\n<caption>Response times, from when each operation was due; "
                              "- where there are too few operations</caption>\n"
                              "<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
                              heads, rows));
}

// ---- lists ----

std::string list(const std::vector<std::string>& lines, std::string_view element) {
  if (lines.empty()) return {};
  std::string body;
  for (std::size_t i = 0; i < lines.size() && i < most_lines; ++i) {
    body += fmt::format("<li>{}</li>\n", escaped(lines[i]));
  }
  std::string result = fmt::format("<{0}>\n{1}</{0}>\n", element, body);
  if (lines.size() > most_lines) {
    result += fmt::format("<p>{} more are in the record.</p>\n",
                          report::grouped(lines.size() - most_lines));
  }
  return result;
}

std::string warnings(const RunRecord& record) {
  std::vector<std::string> lines = record.warnings;
  for (const Cell& cell : record.kinds) {
    if (cell.errors.empty()) continue;
    lines.push_back(
        fmt::format("errors of {}: {}", op_kind_name(cell.kind), report::errors_text(cell.errors)));
  }
  if (const auto violation = record::conservation_violation(record)) {
    lines.push_back("these figures do not add up: " + *violation);
  }
  return list(lines, "ul");
}

std::string events(const RunRecord& record) {
  std::vector<std::string> lines;
  for (const report::Mark& mark : report::measured_span(record).marks) {
    lines.push_back(fmt::format("{:.1f} s: {}", mark.at_s, mark.text));
  }
  return list(lines, "ol");
}

// What differs from the defaults, and the seed.
std::string settings(const RunRecord& record) {
  const RunPlan defaults;
  std::string rows;
  for (const plan::Option& option : plan::options()) {
    if (!option.recorded()) continue;
    const auto value = option.get(record.header.plan);
    if (!value || value == option.get(defaults)) continue;
    rows += word_row(fmt::format("--{}", option.name), *value);
  }
  if (rows.empty()) return {};
  return "<table class=\"words\">\n<caption>Options that are not at their defaults, written out; "
         "the same seed gives the same operations</caption>\n" +
         rows + "</table>\n";
}

}  // namespace

std::string page(const RunRecord& record) {
  const Buckets fine = buckets_of(record, time_columns, 0);
  const Buckets coarse = buckets_of(record, heat_columns, heat_rows);
  const std::string left_out =
      coarse.osds_left_out == 0 ? ""
                                : fmt::format(" {} with faster slowest operations are not shown.",
                                              report::counted(coarse.osds_left_out, "OSD"));
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>" +
         escaped(headline(record)) + "</title>\n<style>" + std::string(page_style) +
         "</style>\n</head>\n<body>\n<main>\n" + head(record) +
         section("Warnings and errors", warnings(record)) +
         section("Key figures", key_figures(record)) +
         section("Response time by percentile",
                 figure("Percentile curves", percentile_curves(record),
                        "A thick line for each kind of operation, a thin one for each of the "
                        "slowest OSDs. A line ends where there are too few operations.")) +
         section("Over time", figure("Throughput and response time", time_picture(record, fine),
                                     "Dashed vertical lines are the events listed below.") +
                                  events(record)) +
         section("Slowest operation over time",
                 figure("Heat map", heat_map(coarse),
                        "From violet (fast) to red (slow), on a log scale; at the right the "
                        "slowest operation of the row." +
                            left_out)) +
         section("OSDs", preformatted("OSDs", report::osds_table(record))) +
         section("Where the time went",
                 preformatted("Counters", report::counters_text(record.counters, &record))) +
         section("Slowest operations",
                 preformatted("Slowest operations", report::slowest_table(record))) +
         section("Settings", settings(record)) + "</main>\n</body>\n</html>\n";
}

}  // namespace radosload::html
