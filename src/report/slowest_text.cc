#include "report/slowest_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/wall_clock.h"
#include "report/time_unit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::report {

using record::RunRecord;
using record::SlowOp;
using record::Wait;
using record::Waited;

namespace {

// The text shows this many; the record holds all.
constexpr std::size_t most_shown = 5;
// The room for object names in a line of 80 columns.
constexpr std::size_t object_columns = 20;

// Names are shortened at the front, because objects differ at the end of their names.
std::string end_of(const std::string& name) {
  if (text_width(name) <= object_columns) return name;
  return "..." + name.substr(name.size() - (object_columns - 3));
}

// "2026-11-26"
constexpr std::size_t date_length = 10;
std::string date_text(const SlowOp& op) {
  return base::moment_text(op.wall).substr(0, date_length);
}

struct ColumnsShown {
  bool osd = false;
  bool pg = false;
  bool service = false;
  bool outcome = false;
  bool date = false;  // they were not all sent on the day on which the run began

  ColumnsShown(const std::vector<SlowOp>& ops, std::string_view started) {
    const std::string_view first_day = started.substr(0, date_length);
    for (const SlowOp& op : ops) {
      date = date || (!first_day.empty() && date_text(op) != first_day);
      osd = osd || op.osd != no_osd;
      pg = pg || !pg_text(op).empty();
      service = service || op.service != op.response;
      outcome = outcome || outcome_text(op) != "ok";
    }
  }

  std::vector<Table::Column> heads(std::string_view unit) const {
    std::vector<Table::Column> heads = {{"slowest", Align::left}, {fmt::format("{}", unit)}};
    if (service) heads.push_back({"service"});
    if (outcome) heads.push_back({"outcome", Align::left});
    if (osd) heads.push_back({"OSD", Align::left});
    if (pg) heads.push_back({"PG", Align::left});
    heads.insert(heads.end(), {{"object", Align::left}, {"offset"}, {"sent (UTC)"}});
    return heads;
  }

  std::vector<std::string> cells(const SlowOp& op, TimeUnit unit) const {
    const auto time = [unit](Time given) {
      return in_unit(static_cast<double>(given.count()), unit);
    };
    std::vector<std::string> cells = {std::string(op_kind_name(op.kind)), time(op.response)};
    if (service) cells.push_back(time(op.service));
    if (outcome) cells.push_back(outcome_text(op));
    if (osd) cells.push_back(op.osd == no_osd ? "-" : fmt::format("osd.{}", op.osd));
    if (pg) cells.push_back(pg_text(op).empty() ? "-" : pg_text(op));
    cells.push_back(op.object.empty() ? "-" : end_of(op.object));
    cells.push_back(grouped(op.offset));
    const std::string time_of_day = base::time_of_day_text(op.wall);
    cells.push_back(date ? fmt::format("{} {}", date_text(op), time_of_day) : time_of_day);
    return cells;
  }
};

// Adds a line for each of them that says where it waited.
void add_places(const std::vector<SlowOp>& ops, Sheet& sheet) {
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (!ops[i].waited) continue;
    sheet.push_back(
        {.title = fmt::format("{}.", i + 1), .text = waited_text(*ops[i].waited, ops[i].osd)});
  }
}

// What all of them waited for, those with the most time first.
std::optional<Table> causes_table(const std::vector<SlowOp>& ops) {
  struct Sum {
    std::uint64_t ops = 0;
    Time time{0};
  };
  std::map<std::string_view, Sum> sums;
  for (const SlowOp& op : ops) {
    Sum& sum = sums[op.waited ? record::wait_name(op.waited->where) : "unknown"];
    ++sum.ops;
    sum.time += op.response;
  }
  if (sums.size() < 2) return std::nullopt;
  std::vector<std::pair<std::string_view, Sum>> sorted(sums.begin(), sums.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& one, const auto& other) {
    return one.second.time > other.second.time;
  });
  Table table({{"waited", Align::left}, {"operations"}, {"for, in all"}});
  for (const auto& [where, sum] : sorted) {
    table.add({std::string(where), grouped(sum.ops), human_text(sum.time)});
  }
  return table;
}

std::string replicas_text(const Waited& waited) {
  std::vector<std::string> names;
  names.reserve(waited.replicas.size());
  for (const std::int32_t osd : waited.replicas) names.push_back(fmt::format("osd.{}", osd));
  if (names.empty()) return "a replica";
  if (names.size() == 1) return "replica " + names.front();
  return fmt::format("a replica, one of {}", fmt::join(names, ", "));
}

// "in the queue of osd.3"
std::string place_text(const Waited& waited, const std::string& osd) {
  switch (waited.where) {
    case Wait::to_osd:
      return fmt::format("before {} received it", osd);
    case Wait::receive:
      return fmt::format("while {} received it", osd);
    case Wait::queue:
      return fmt::format("in the queue of {}", osd);
    case Wait::blocked:
      return fmt::format("blocked on {}: {}", osd, waited.reason);
    case Wait::execution:
      return fmt::format("carried out on {}", osd);
    case Wait::commit:
      return fmt::format("commit of {}", osd);
    case Wait::replica:
      return replicas_text(waited);
    case Wait::shards:
      return fmt::format("other OSDs of the PG, for {}", osd);
    case Wait::client:
      return "here, while this client did not run";
    case Wait::silent:
      return fmt::format("{} did not answer questions", osd);
    case Wait::from_osd:
      break;
  }
  return fmt::format("after {} had answered", osd);
}

}  // namespace

std::string waited_text(const Waited& waited, std::int32_t primary) {
  const std::string osd = primary == no_osd ? "the OSD" : fmt::format("osd.{}", primary);
  return fmt::format("{}: {}{}", place_text(waited, osd), human_text(waited.longest),
                     waited.ended || waited.where == Wait::silent ? "" : " until last asked");
}

Sheet slowest_sheet(const RunRecord& record) {
  if (record.slowest.empty()) return {};
  const auto shown = std::min(most_shown, record.slowest.size());
  const std::vector<SlowOp> ops(record.slowest.begin(),
                                record.slowest.begin() + static_cast<std::ptrdiff_t>(shown));
  std::vector<double> times;
  times.reserve(ops.size());
  for (const SlowOp& op : ops) times.push_back(static_cast<double>(op.response.count()));
  const TimeUnit unit = unit_of(times);
  const ColumnsShown columns(ops, record.header.started);
  Table table(columns.heads(unit.name));
  for (const SlowOp& op : ops) table.add(columns.cells(op, unit));
  Sheet sheet = {{.title = "Slowest operations", .table = std::move(table)}};
  add_places(ops, sheet);
  if (auto causes = causes_table(record.slowest)) {
    sheet.push_back({.title = "Where the slowest operations waited", .table = *std::move(causes)});
  }
  return sheet;
}

std::string slowest_table(const RunRecord& record) {
  std::string text;
  bool places = false;
  for (const SheetPart& part : slowest_sheet(record)) {
    if (part.table) {
      text += part.table->text(indent);
      continue;
    }
    if (!places) text += fmt::format("{:{}}where they waited:\n", "", indent);
    places = true;
    text += paragraph(part.title, part.text, 2 * indent, 3);
  }
  return text;
}

std::string slow_search_text(const RunRecord& record) {
  if (!record.slow_search || record.slowest.empty()) return {};
  const auto& search = *record.slow_search;
  std::string text = fmt::format("{} of the {} found on their OSDs", search.matched,
                                 counted(record.slowest.size(), "slowest operation"));
  if (!search.missing.empty()) text += "; " + search.missing;
  return text;
}

}  // namespace radosload::report
