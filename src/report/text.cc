#include "report/text.h"

#include <algorithm>
#include <array>

#include "radosload/printable.h"

#include "plan/names.h"
#include "report/causes/causes_text.h"
#include "report/client_text.h"
#include "report/counters_text.h"
#include "report/energy_text.h"
#include "report/facts.h"
#include "report/latency_picture.h"
#include "report/layout.h"
#include "report/members_text.h"
#include "report/osd_figures_text.h"
#include "report/routing_text.h"
#include "report/slowest_text.h"
#include "report/time_unit.h"
#include "report/timeline_picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::report {

using record::Cell;
using record::RunRecord;

namespace {

// ---- the head: what ran where ----

std::string title(const RunRecord& record) {
  return printable(fmt::format("{}, run {}, {}", record.header.program, record.header.run_id,
                               record.header.started)) +
         "\n";
}

std::string cluster_text(const RunRecord& record) {
  std::string fsid = record.header.environment.fsid;
  const std::string versions = versions_text(record);
  if (fsid.empty() && versions.empty()) return {};
  if (versions.empty()) return fsid;
  return fmt::format("{}, Ceph {}", fsid, versions);
}

std::string files_text(const Pattern& pattern) {
  const char* const caches = pattern.reads_cold() ? ", each read once by a new client" : "";
  return fmt::format("{} empty files in directories of {}{}", grouped(pattern.objects),
                     grouped(pattern.entries), caches);
}

std::string objects_text(const RunRecord& record) {
  const RunPlan& plan = record.header.plan;
  const Pattern& pattern = plan.pattern;
  if (pattern.name.empty()) return {};
  const bool silent = record.header.environment.drive && !pattern.reads_data();
  const char* const unverified =
      pattern.verify == Verify::off && !silent ? ", reads not verified" : "";
  if (record.header.environment.drive) return option_text(pattern.working_set) + unverified;
  if (pattern.is_of_files()) return files_text(pattern);
  return fmt::format("{} in {} of {}, cache {}{}{}", option_text(pattern.working_set),
                     plan.files.any() ? "files" : "objects", option_text(pattern.object_size),
                     plan::name_of(pattern.cache), plan.images.cache ? ", librbd's cache on" : "",
                     unverified);
}

// Of a joint record.
std::string session_text(const RunRecord& record) {
  for (const record::Event& event : record.events) {
    if (event.kind == "session") return line(event.kind, event.text);
  }
  return {};
}

std::string head(const RunRecord& record) {
  return title(record) + "\n" +
         line("where", where_text(record.header.plan, record.header.environment)) +
         line("pinned", pins_text(record)) + line("cluster", cluster_text(record)) +
         line("pattern", pattern_text(record.header.plan)) +
         line("load", load_text(record.header.plan)) + line("data", objects_text(record)) +
         line("measured", measured_text(record)) + line("grade", grade_text(record.grade)) +
         line("labels", labels_text(record.header.plan.labels)) + session_text(record);
}

// ---- the tables ----

// A row for each kind, and one for all when there are several.
template <typename Row>
void each_row(const RunRecord& record, Row&& row) {
  for (const Cell& cell : record.kinds) row(kind_text(cell.kind), cell);
  if (record.kinds.size() > 1) row("all", record::total_of(record.kinds));
}

const std::vector<record::Quantile> shown_quantiles = {record::p50, record::p90, record::p99,
                                                       record::p999};
constexpr std::array latency_columns = {"mean", "p50", "p90", "p99", "p99.9", "max"};

std::vector<LatencyCells> latencies(const RunRecord& record, LatencyCells::Of of) {
  std::vector<LatencyCells> rows;
  each_row(record, [&](const std::string&, const Cell& cell) {
    rows.emplace_back(cell, of, shown_quantiles);
  });
  return rows;
}

std::string main_table(const RunRecord& record, TimeUnit unit) {
  const auto shown = latencies(record, LatencyCells::Of::response);
  std::vector<Table::Column> columns = {{"", Align::left}, {"ops"}, {"IOPS"}, {"MiB/s"}};
  for (const char* const name : latency_columns) columns.push_back({name});
  Table table(columns);
  auto latency = shown.begin();
  each_row(record, [&](const std::string& name, const Cell& cell) {
    std::vector<std::string> cells = {name, grouped(cell.ops()),
                                      rate_text(record::iops(record, cell)),
                                      rate_text(record::mib_per_s(record, cell))};
    (latency++)->add_to(cells, unit);
    table.add(std::move(cells));
  });
  return table.text(indent);
}

std::string service_table(const RunRecord& record, TimeUnit unit) {
  const auto shown = latencies(record, LatencyCells::Of::service);
  std::vector<Table::Column> columns = {{"", Align::left}};
  for (const char* const name : latency_columns) columns.push_back({name});
  Table table(columns);
  auto latency = shown.begin();
  each_row(record, [&](const std::string& name, const Cell&) {
    std::vector<std::string> cells = {name};
    (latency++)->add_to(cells, unit);
    table.add(std::move(cells));
  });
  return table.text(indent);
}

std::string tables(const RunRecord& record) {
  if (record.kinds.empty()) return "\n  no operation was measured\n";
  const Cell total = record::total_of(record.kinds);
  const std::string members = members_table(record);
  const std::string osds = pinned(record) ? osds_table(record) : std::string();
  const std::string routes = routing_table(record);
  const std::string counters = counters_text(record.counters, &record);
  const std::string slowest = slowest_table(record);
  std::string below;
  for (const std::string& table : {members, osds, routes, counters, slowest}) {
    if (!table.empty()) below += "\n" + table;
  }
  const bool waited = total.latency.differ() || total.lost.unsent() > 0;
  const TimeUnit unit = unit_of(latencies(record, LatencyCells::Of::response));
  const std::string main = main_table(record, unit);
  if (!waited) return fmt::format("\n  Latency in {}:\n{}{}", unit.name, main, below);
  return fmt::format(
      "\n  Response time in {0}, from when each operation was due:\n{1}\n"
      "  Service time in {0}, from when it was submitted:\n{2}{3}",
      unit.name, main, service_table(record, unit), below);
}

// ---- the pictures ----

std::string lines_text(const std::vector<std::string>& lines) {
  return lines.empty() ? std::string() : fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::string pictures(const RunRecord& record, const Style& style) {
  const std::string time = lines_text(timeline_picture(measured_span(record), style));
  const Cell total = record::total_of(record.kinds);
  const auto& latency = total.latency.response();
  const std::string spread = lines_text(latency_picture(latency, style));
  std::string text;
  if (!time.empty()) text += "\n  Over time:\n" + time;
  if (!spread.empty()) {
    text += fmt::format("\n  {} of {}:\n{}", total.latency.differ() ? "Response time" : "Latency",
                        counted(latency.count(), "answered operation"), spread);
  }
  return text;
}

// ---- the foot: errors, the slowest OSD, warnings ----

// Two digits, and never as a power of ten.
std::string share_text(double percent) {
  constexpr double two_digits = 9.95;
  return percent >= two_digits ? fmt::format("{:.0f}", percent) : fmt::format("{:.2g}", percent);
}

std::string late_text(const RunRecord& record, const Cell& total) {
  if (total.late == 0) return {};
  const double share =
      100 * static_cast<double>(total.late) /
      static_cast<double>(std::max<std::uint64_t>(1, record.measured_flow.ended()));
  return fmt::format("{} ({} %) sent more than 1 ms after they were due",
                     counted(total.late, "operation"), share_text(share));
}

// The line appears only if late sending distorts response times: above 5 % of their median.
std::string sent_late_text(const RunRecord& record, const Cell& total) {
  constexpr double threshold = 0.05;
  const auto late = record.lateness.percentile(record::p50);
  // The median of all due operations. If it falls among lost operations, it is their waiting time,
  // which is the lower bound.
  const record::Ranked median = record::response_ranks(total).percentile(record::p50);
  if (!late || median.kind == record::Ranked::Kind::unknown) return {};
  const double share = static_cast<double>(*late) / static_cast<double>(median.ns);
  if (share <= threshold) return {};
  const auto tail = record.lateness.percentile(record::p99);
  const auto text = [](std::uint64_t ns) { return human_text(Time(static_cast<Time::rep>(ns))); };
  const bool beyond = median.kind == record::Ranked::Kind::beyond;
  return fmt::format(
      "median {} after they were due{}{}: {}{:.0f} % of the median response time; not part of "
      "service times",
      text(*late), tail ? fmt::format(", p99 {}", text(*tail)) : "", only_sent_text(record),
      beyond ? "at most " : "", 100 * share);
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.3g} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string verification_text(const RunRecord& record) {
  if (!record.verification || record.verification->blocks == 0) return {};
  const Verification& checked = *record.verification;
  std::string text =
      fmt::format("{} of {} followed", percent_text(checked.followed, checked.blocks),
                  counted(checked.blocks, "block"));
  if (checked.acknowledged > 0) {
    text +=
        fmt::format("; {} of {} read back", percent_text(checked.read_back, checked.acknowledged),
                    counted(checked.acknowledged, "acknowledged write"));
  }
  return text;
}

std::string missing_percentiles(const Cell& total) {
  const std::uint64_t ranked = record::response_ranks(total).count();
  if (ranked == 0 || ranked >= record::operations_needed(record::p999)) return {};
  return too_few_text();
}

// The last event about the trace names its file and its number of operations.
std::string trace_text(const RunRecord& record) {
  std::string last;
  for (const record::Event& event : record.events) {
    if (event.kind == "trace") last = event.text;
  }
  return last;
}

std::string causes_text(const RunRecord& record) {
  std::string text;
  for (const SheetPart& part : causes_sheet(record)) text += line(part.title, part.text);
  return text;
}

std::string foot(const RunRecord& record, const std::string& saved_as) {
  const Cell total = record::total_of(record.kinds);
  std::string result = "\n";
  for (const Cell& cell : record.kinds) {
    if (cell.errors.empty()) continue;
    result +=
        line("errors", fmt::format("{}: {}", op_kind_name(cell.kind), errors_text(cell.errors)));
  }
  result += line("verdict", etcd_text(record)) + line("slowest", slowest_text(record)) +
            line("acting", acting_text(record)) + line("writes", led_text(record)) +
            line("routing", routing_text(record)) + line("found", slow_search_text(record)) +
            causes_text(record);
  result += line("stalled", stalled_text(record)) + line("backlog", backlog_text(record)) +
            line("late", late_text(record, total)) +
            line("sent late", sent_late_text(record, total)) +
            line("lost", lost_text(record, total)) + line("note", missing_percentiles(total));
  result += line("verified", verification_text(record));
  for (const std::string& warning : record.warnings) result += line("warning", warning);
  if (const auto violation = record::conservation_violation(record)) {
    result += line("warning", "these figures do not add up: " + *violation);
  }
  result += line("power", power_text(record)) + line("energy", energy_text(record)) +
            line("IOPS/W", efficiency_text(record)) + line("client", client_text(record)) +
            line("seed", fmt::format("{}", record.header.plan.seed));
  result += line("saved", saved_as.empty() ? "no" : saved_as);
  return result + line("trace", trace_text(record));
}

}  // namespace

std::string text(const RunRecord& record, const std::string& saved_as, const Style& style) {
  return head(record) + tables(record) + pictures(record, style) + foot(record, saved_as);
}

}  // namespace radosload::report
