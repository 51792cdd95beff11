// Timings in tables: a line of `radosload list`, and a row for each measurement as CSV.

#include <algorithm>

#include "base/wall_clock.h"
#include "report/csv.h"
#include "views/timers_text.h"

#include <fmt/format.h>

namespace radosload::views {

namespace {

using timers::Row;

std::string csv_secs(std::optional<Time> time) {
  return time ? fmt::to_string(seconds(*time)) : std::string();
}

std::string csv_bytes(std::optional<Bytes> bytes) {
  return bytes ? fmt::to_string(bytes->count) : std::string();
}

std::string read_us(const std::optional<timers::CompactTimes>& compact, bool during,
                    std::optional<Time> timers::ProbeTimes::*value) {
  constexpr double micros = 1e6;
  if (!compact || !compact->probe) return {};
  const auto time = (during ? compact->probe->during : compact->probe->before).*value;
  return time ? fmt::to_string(seconds(*time) * micros) : std::string();
}

// A name and, of one measurement, its value; of all timers, so that the columns never change.
std::vector<std::pair<std::string_view, std::string>> csv_cells(const TimersShown& shown,
                                                                const Row& row) {
  const auto& scrub = row.scrub;
  const auto& peering = row.peering;
  const auto& compact = row.compact;
  const auto& bench = row.bench;
  const auto& backfill = row.backfill;
  const auto number = [](const auto& part, auto value) {
    return part ? fmt::to_string(value(*part)) : std::string();
  };
  const auto time = [](const auto& part, auto value) {
    return part ? csv_secs(value(*part)) : std::string();
  };
  const std::string pgs = scrub     ? fmt::to_string(scrub->pgs)
                          : peering ? fmt::to_string(peering->pgs)
                                    : std::string();
  return {
      {"id", shown.id},
      {"timer", std::string(timers::timer_name(shown.wish.timer))},
      {"deep", shown.wish.deep ? "true" : "false"},
      {"osd", row.osd ? fmt::to_string(*row.osd) : ""},
      {"round", fmt::to_string(row.round)},
      {"began", base::moment_text(row.began)},
      {"elapsed_s", csv_secs(row.elapsed)},
      {"failure", row.failure},
      {"pgs", pgs},
      {"scrub_done", number(scrub, [](const auto& one) { return one.done; })},
      {"scrub_first_s", time(scrub, [](const auto& one) { return one.first; })},
      {"scrub_queued_s", time(scrub, [](const auto& one) { return one.queued(); })},
      {"scrub_work_s", time(scrub, [](const auto& one) { return std::optional(one.work); })},
      {"scrub_total_s", time(scrub, [](const auto& one) { return one.finished; })},
      {"down_s", time(peering, [](const auto& one) { return one.down; })},
      {"up_s", time(peering, [](const auto& one) { return one.up; })},
      {"active_s", time(peering, [](const auto& one) { return one.active; })},
      {"clean_s", time(peering, [](const auto& one) { return one.clean; })},
      {"before_bytes", compact ? csv_bytes(compact->before) : ""},
      {"after_bytes", compact ? csv_bytes(compact->after) : ""},
      {"in_osd_s", bench ? csv_secs(bench->in_osd) : (compact ? csv_secs(compact->in_osd) : "")},
      {"reads_before_mean_us", read_us(compact, false, &timers::ProbeTimes::mean)},
      {"reads_before_max_us", read_us(compact, false, &timers::ProbeTimes::longest)},
      {"reads_during_mean_us", read_us(compact, true, &timers::ProbeTimes::mean)},
      {"reads_during_max_us", read_us(compact, true, &timers::ProbeTimes::longest)},
      {"written_bytes", number(bench, [](const auto& one) { return one.written.count; })},
      {"block_bytes", number(bench, [](const auto& one) { return one.block.count; })},
      {"bytes_per_second", number(bench, [](const auto& one) { return one.bytes_per_second; })},
      {"iops", number(bench, [](const auto& one) { return one.iops; })},
      {"copies_at_start", number(backfill, [](const auto& one) { return one.at_start; })},
      {"copies_left", number(backfill, [](const auto& one) { return one.left; })},
      {"sustained_copies_per_second",
       number(backfill, [](const auto& one) { return one.sustained; })}};
}

}  // namespace

std::string timers_csv(const TimersShown& shown, const timers::Session& session) {
  std::string text;
  const auto line = [&text](const auto& cells, auto part) {
    const char* between = "";
    for (const auto& cell : cells) {
      text += between + report::csv_field(part(cell));
      between = ",";
    }
    text += '\n';
  };
  line(csv_cells(shown, {}), [](const auto& cell) { return std::string(cell.first); });
  for (const Row& row : session.rows) {
    line(csv_cells(shown, row), [](const auto& cell) { return cell.second; });
  }
  return text;
}

bool whole(const TimersShown& shown, const timers::Session& session) {
  return session.complete() && session.rows.size() >= shown.turns.size();
}

report::ListRow timers_list_row(const SavedTiming& timing) {
  const auto& [shown, session] = timing;
  report::ListRow row{.kind = report::Saved::timing,
                      .id = shown.id,
                      .started = shown.started,
                      .pattern = fmt::format("time {}{}", shown.wish.deep ? "deep " : "",
                                             timers::timer_name(shown.wish.timer)),
                      .status = "incomplete",
                      .steps = shown.turns.size()};
  if (whole(shown, session)) row.status = "complete";
  if (session.interrupted) row.status = "interrupted";
  for (const Row& one : session.rows) {
    row.measured += one.elapsed;
    (one.failure.empty() ? row.steps_done : row.errors) += 1;
  }
  return row;
}

}  // namespace radosload::views
