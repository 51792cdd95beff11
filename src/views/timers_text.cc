#include "views/timers_text.h"

#include <algorithm>
#include <set>

#include "radosload/printable.h"

#include "placement/osd_select.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::views {

namespace {

using report::Table;
using timers::Row;
using timers::Timer;

std::string secs(std::optional<Time> time) {
  return time ? fmt::format("{:.2f}", seconds(*time)) : "-";
}

std::string mebibytes(std::optional<Bytes> bytes) {
  if (!bytes) return "-";
  return fmt::format("{:.1f}", static_cast<double>(bytes->count) / static_cast<double>(1U << 20U));
}

std::vector<std::string> lead(const Row& row) {
  return {row.osd ? fmt::format("osd.{}", *row.osd) : "-", std::to_string(row.round)};
}

Table table_with(const std::vector<Table::Column>& columns) {
  std::vector<Table::Column> all = {{"OSD", report::Align::left}, {"round"}};
  all.insert(all.end(), columns.begin(), columns.end());
  return Table(std::move(all));
}

void add_row(Table& table, const Row& row, const std::vector<std::string>& cells) {
  std::vector<std::string> all = lead(row);
  all.insert(all.end(), cells.begin(), cells.end());
  table.add(std::move(all));
}

std::string scrub_table(const std::vector<Row>& rows) {
  Table table = table_with({{"PGs"}, {"done"}, {"first s"}, {"queued s"}, {"work s"}, {"total s"}});
  Time error{0};
  std::uint64_t unseen = 0;
  for (const Row& row : rows) {
    const auto scrub = row.scrub.value_or(timers::ScrubTimes{});
    error = std::max(error, scrub.error);
    unseen += scrub.unseen;
    add_row(table, row,
            {std::to_string(scrub.pgs), std::to_string(scrub.done), secs(scrub.first),
             secs(scrub.queued()), secs(scrub.finished ? std::optional(scrub.work) : std::nullopt),
             secs(scrub.finished)});
  }
  std::string text =
      table.text(2) +
      "\n  first: until the first PG began; work: while PGs were scrubbed; queued: the "
      "rest of total\n";
  if (error > Time{0}) {
    text += fmt::format(
        "  first and work: error up to {}, because this release of Ceph does not report how long a "
        "scrub took\n",
        human_text(error));
  }
  if (unseen > 0) {
    text += fmt::format("  {} too short to be seen at work; their time is counted as queued\n",
                        unseen == 1 ? "1 scrub was" : fmt::format("{} scrubs were", unseen));
  }
  return text;
}

std::string peering_table(const std::vector<Row>& rows) {
  Table table = table_with({{"PGs"}, {"down s"}, {"up s"}, {"active s"}, {"clean s"}});
  bool seen = false;
  bool there = false;
  for (const Row& row : rows) {
    const auto peering = row.peering.value_or(timers::PeeringTimes{});
    seen = seen || (peering.active && !peering.by_stamps);
    there = there || peering.noout_was_there;
    add_row(table, row,
            {std::to_string(peering.pgs), secs(peering.down), secs(peering.up),
             secs(peering.active), secs(peering.clean)});
  }
  std::string text =
      table.text(2) +
      "\n  since the order to stop. active: every PG of the OSD; clean: recovery is done\n";
  if (seen) {
    text +=
        "  active and clean: error up to 7 s, because Ceph's stamps could not be used for all "
        "PGs\n";
  }
  if (there) text += "  noout was set before, and stays\n";
  return text;
}

std::string milliseconds(std::optional<Time> time) {
  constexpr double milli = 1e3;
  return time ? fmt::format("{:.2f}", seconds(*time) * milli) : "-";
}

// What a client felt of it.
std::string probe_table(const std::vector<Row>& rows) {
  const auto probed = [](const Row& row) { return row.compact && row.compact->probe; };
  const auto first = std::find_if(rows.begin(), rows.end(), probed);
  if (first == rows.end()) {
    return "  reads meanwhile: not probed; --pool POOL probes them in that pool\n";
  }
  Table table = table_with({{"reads before"},
                            {"mean"},
                            {"p99"},
                            {"longest"},
                            {"meanwhile"},
                            {"mean"},
                            {"p99"},
                            {"longest"}});
  std::uint64_t failed = 0;
  for (const Row& row : rows) {
    if (!probed(row)) continue;
    std::vector<std::string> cells;
    for (const auto* const times : {&row.compact->probe->before, &row.compact->probe->during}) {
      failed += times->failed;
      cells.insert(cells.end(), {report::grouped(times->reads), milliseconds(times->mean),
                                 milliseconds(times->p99), milliseconds(times->longest)});
    }
    add_row(table, row, cells);
  }
  std::string text =
      printable_lines(fmt::format("\n  Reads of 4 KiB in pool {}, one after the other, in ms:",
                                  first->compact->probe->pool)) +
      "\n" + table.text(2);
  if (failed > 0) text += fmt::format("\n  {} failed\n", report::counted(failed, "read"));
  return text;
}

std::string compact_table(const std::vector<Row>& rows) {
  Table table =
      table_with({{"before MiB"}, {"after MiB"}, {"in the OSD s"}, {"with the answer s"}});
  for (const Row& row : rows) {
    const auto compact = row.compact.value_or(timers::CompactTimes{});
    add_row(table, row,
            {mebibytes(compact.before), mebibytes(compact.after), secs(compact.in_osd),
             secs(row.elapsed)});
  }
  return table.text(2) + "\n  MiB: RocksDB and its log, on all devices of the OSD (BlueFS)\n" +
         probe_table(rows);
}

std::string bench_table(const std::vector<Row>& rows) {
  Table table = table_with({{"block"}, {"written"}, {"in the OSD s"}, {"MiB/s"}, {"IOPS"}});
  for (const Row& row : rows) {
    if (!row.bench) {
      add_row(table, row, {"-", "-", "-", "-", "-"});
      continue;
    }
    const auto& bench = *row.bench;
    const double mib_s = bench.bytes_per_second / static_cast<double>(1U << 20U);
    add_row(table, row,
            {human_text(bench.block), human_text(bench.written), secs(bench.in_osd),
             report::rate_text(mib_s), report::rate_text(bench.iops)});
  }
  return table.text(2) + "\n  written by the OSD itself: no network, no replicas\n";
}

std::string spans_text(const timers::Spans& spans) {
  const std::string low = human_text(spans.low);
  return spans.high ? fmt::format("{} to {}", low, human_text(*spans.high))
                    : fmt::format("{} or more", low);
}

std::string backfill_lines(const Row& row) {
  const auto& seen = *row.backfill;
  using report::line;
  const auto mib_s = [](double rate) {
    return report::rate_text(rate / static_cast<double>(1U << 20U));
  };
  std::string text =
      line("left", fmt::format("{} copies of objects, {} when the watch began {} ago",
                               report::grouped(seen.left), report::grouped(seen.at_start),
                               human_text(seen.watched)));
  text +=
      line("shown", fmt::format("{} MiB/s by 'ceph status' at the end", mib_s(seen.shown_bytes)));
  text += line("sustained", fmt::format("{} copies/s, about {} MiB/s, over the whole time",
                                        report::rate_text(std::max(0.0, seen.sustained)),
                                        mib_s(std::max(0.0, seen.sustained_bytes))));
  if (seen.range) {
    text += line("range", fmt::format("{} to {} copies/s in quarters of the time",
                                      report::rate_text(std::max(0.0, seen.range->low)),
                                      report::rate_text(std::max(0.0, seen.range->high))));
  }
  if (seen.eta) {
    text += line("time left", spans_text(*seen.eta));
  } else if (seen.left == 0) {
    text += line("time left", "none: no object is misplaced or degraded");
  } else {
    text += line("time left", "unknown: watch longer with --limit");
  }
  if (!seen.convert.empty()) {
    text +=
        line("convert", fmt::format("OSDs {}: {} to move, {}", placement::ids_text(seen.convert),
                                    human_text(seen.convert_bytes),
                                    seen.cost ? spans_text(*seen.cost) + " at these rates"
                                              : "time unknown without a rate"));
  }
  return text;
}

std::string table_of(Timer timer, const std::vector<Row>& rows) {
  switch (timer) {
    case Timer::scrub:
      return scrub_table(rows);
    case Timer::peering:
      return peering_table(rows);
    case Timer::compact:
      return compact_table(rows);
    case Timer::bench:
      return bench_table(rows);
    case Timer::backfill:
      break;
  }
  std::string text;
  for (const Row& row : rows) {
    if (row.backfill) text += backfill_lines(row);
  }
  return text;
}

std::string failures_text(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    if (row.failure.empty()) continue;
    const std::string who = row.osd ? fmt::format("osd.{}, round {}: ", *row.osd, row.round) : "";
    text += printable_lines("  " + who + row.failure) + "\n";
    if (!row.scrub) continue;
    for (const std::string& reason : row.scrub->waiting) {
      text += printable_lines("    " + reason) + "\n";
    }
  }
  return text.empty() ? text : "\nNot measured:\n" + text;
}

std::string heading(const TimersShown& shown) {
  const bool deep = shown.wish.timer == Timer::scrub && shown.wish.deep;
  std::string text =
      fmt::format("time {}{}", deep ? "deep " : "", timers::timer_name(shown.wish.timer));
  if (shown.wish.timer == Timer::backfill) return text + "\n";
  return text + fmt::format(", {} {}, {}, seed {}\n", shown.osds.size() == 1 ? "OSD" : "OSDs",
                            placement::ids_text(shown.osds), report::counted(shown.rounds, "round"),
                            shown.seed);
}

std::string action_of(const timers::Wish& wish, std::int32_t osd) {
  switch (wish.timer) {
    case Timer::scrub:
      return fmt::format("ceph osd {} {}", wish.deep ? "deep-scrub" : "scrub", osd);
    case Timer::peering:
      return fmt::format("noout for osd.{0}; {1}; wait until its PGs are clean; unset noout", osd,
                         wish.restart.empty() ? fmt::format("ceph osd down {}", osd)
                                              : timers::restart_command(wish.restart, osd));
    case Timer::compact:
      return fmt::format("ceph tell osd.{} compact{}", osd,
                         wish.pool.empty() ? "" : "; reads in pool " + wish.pool + " meanwhile");
    case Timer::bench: {
      const Bytes bytes =
          wish.bytes.count > 0 ? wish.bytes : std::min(timers::bench_cap(wish.block), gib(1));
      return fmt::format("ceph tell osd.{} bench {} {}", osd, bytes.count, wish.block.count);
    }
    case Timer::backfill:
      break;
  }
  return "watch 'ceph status'; nothing is changed";
}

}  // namespace

std::string timers_plan_text(const TimersShown& shown) {
  std::string text = heading(shown) + "This would be done, with a limit of " +
                     human_text(shown.wish.limit) + " for each line:\n";
  for (const timers::Turn& turn : shown.turns) {
    text += printable_lines(
                fmt::format("  round {}: {}", turn.round, action_of(shown.wish, turn.osd))) +
            "\n";
  }
  return text;
}

std::string timers_text(const TimersShown& shown, const timers::Session& session,
                        const std::string& saved_as) {
  std::string text = heading(shown) + table_of(shown.wish.timer, session.rows);
  text += failures_text(session.rows);
  if (session.interrupted) {
    text += fmt::format("\ninterrupted: {} of {} measurements were begun\n", session.rows.size(),
                        shown.turns.size());
  } else if (session.complete() && session.rows.size() < shown.turns.size()) {
    text += fmt::format("\nit did not end: {} of {} measurements are saved\n", session.rows.size(),
                        shown.turns.size());
  }
  if (!saved_as.empty()) text += printable_lines("\n  saved     " + saved_as) + "\n";
  return text;
}

}  // namespace radosload::views
