// `radosload time`: measures how long an OSD's scrub, restart, compaction, benchmark or backfill
// takes.

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/interrupts.h"
#include "cli/commands/command.h"
#include "cli/commands/time_cell.h"
#include "cli/commands/time_jobs.h"
#include "cli/commands/time_probe.h"
#include "cli/commands/time_words.h"
#include "cli/commands/timing_file.h"
#include "cli/options/options.h"
#include "cli/options/run_words.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cluster/admin.h"
#include "footprint/owner.h"
#include "observe/osd_timing.h"
#include "observe/osds.h"
#include "placement/osd_select.h"
#include "prepare/engine_plan.h"
#include "record/store.h"
#include "timers/ok_to_stop.h"
#include "timers/session.h"
#include "views/timers_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

using timers::Timer;

Error down_osd(std::int32_t osd) {
  return {.attempt = "time",
          .subject = fmt::format("osd.{}", osd),
          .reason = "it is down",
          .hint = "start it, or choose other OSDs with --osd; 'radosload osds' lists them",
          .exit = Exit::no_cluster};
}

// The planned measurements, and what the cluster reports about the chosen OSDs.
Result<views::TimersShown> planned(const TimeWords& asked, Timer timer,
                                   const placement::OsdSelection& selection,
                                   AdminCommands& commands) {
  const auto now = record::distinct_moment(std::chrono::system_clock::now());
  views::TimersShown shown{.id = "t" + record::make_run_id(now, prepare::drawn_seed()),
                           .started = record::iso_time(now),
                           .program = program_name,
                           .fsid = observe::fetch_fsid(commands),
                           .rounds = asked.rounds,
                           .seed = asked.seed == 0 ? prepare::drawn_seed() : asked.seed,
                           .dry_run = asked.dry_run};
  shown.wish = {.timer = timer,
                .limit = asked.limit,
                .deep = asked.deep,
                .restart = asked.restart,
                .offline_pools = asked.offline_pools,
                .note = {.owner = footprint::this_process(), .since = record::iso_time(now)},
                .block = asked.block,
                .bytes = asked.bytes,
                .pool = asked.pool};
  if (timer == Timer::backfill) shown.turns = {{.osd = -1}};
  if (asked.osds.empty()) return shown;
  RADOSLOAD_ASSIGN(const auto inventory, observe::fetch_osds(commands));
  RADOSLOAD_ASSIGN(shown.osds, placement::select_osds(selection, inventory));
  for (const std::int32_t id : shown.osds) {
    const placement::Osd* const osd = inventory.find(id);
    if (timer != Timer::backfill) {
      if (!osd->up) return fail(down_osd(id));
      continue;
    }
    shown.wish.convert.push_back(id);
    shown.wish.convert_bytes.count += static_cast<std::uint64_t>(
        osd->fill.value_or(0) * static_cast<double>(osd->data.size.count));
  }
  if (timer != Timer::backfill) shown.turns = timers::turns(shown.osds, asked.rounds, shown.seed);
  return shown;
}

Exit print_timing(const TimeWords& asked, const views::TimersShown& shown,
                  const timers::Session& session, const std::string& saved_as, Exit exit) {
  const std::string hint = shown_again(saved_as);
  if (asked.format == "json") return print_result(views::timers_json(shown, session), exit, hint);
  if (asked.format == "csv") return print_result(views::timers_csv(shown, session), exit, hint);
  return print_result(views::timers_text(shown, session, saved_as), exit, hint);
}

// Prints what would be done; saves nothing.
Exit print_plan(const TimeWords& asked, views::TimersShown shown) {
  if (asked.format == "text") return print_result(views::timers_plan_text(shown));
  shown.id.clear();
  return print_timing(asked, shown, {}, "", Exit::measured);
}

// Refuses all restarts before the first one, if one would make PGs unavailable.
Status all_may_stop(const TimeWords& asked, const views::TimersShown& shown,
                    AdminCommands& commands) {
  if (shown.wish.timer != Timer::peering) return {};
  for (const std::int32_t osd : shown.osds) {
    RADOSLOAD_TRY(timers::ok_to_stop(commands, osd, asked.offline_pools));
  }
  return {};
}

// The same, and without --yes.
Status may_restart(const TimeWords& asked, const views::TimersShown& shown,
                   AdminCommands& commands) {
  RADOSLOAD_TRY(all_may_stop(asked, shown, commands));
  if (shown.wish.timer != Timer::peering || asked.yes || asked.dry_run) return {};
  static_cast<void>(print_plan(asked, shown));
  return fail({.attempt = "restart OSDs",
               .subject = "",
               .reason = "--yes is missing",
               .hint = "add --yes to do what is shown above",
               .exit = Exit::refused});
}

Exit exit_of_session(const timers::Session& session) {
  if (session.interrupted) return Exit::interrupted;
  return session.complete() ? Exit::measured : Exit::flawed;
}

Result<std::shared_ptr<cluster::Admin>> patient_admin(const TimeWords& asked, Timer timer) {
  if (timer != Timer::compact && timer != Timer::bench) return std::shared_ptr<cluster::Admin>();
  // An OSD answers when the work is done, and another place checks the limit.
  ClusterOptions options = asked.cluster;
  options.timeout = asked.limit + std::chrono::minutes(1);
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(options));
  return std::shared_ptr<cluster::Admin>(std::move(admin));
}

struct Timed {
  timers::Session session;
  std::string saved_as;
};

Result<Timed> execute(const TimeWords& asked, const views::TimersShown& shown,
                      cluster::Admin& admin, const base::Interrupts& interrupts) {
  RADOSLOAD_ASSIGN(auto file, TimingFile::open(asked.saving, shown.id));
  RADOSLOAD_ASSIGN(const auto patient, patient_admin(asked, shown.wish.timer));
  std::unique_ptr<ProbedPool> probed;
  if (!asked.pool.empty()) {
    RADOSLOAD_ASSIGN(
        probed,
        ProbedPool::open(
            asked.cluster, admin,
            {.id = shown.id, .started = shown.started, .pool = asked.pool, .osds = shown.osds}));
  }
  ProgressLine line;
  timers::World world{
      .commands = admin,
      .now = [] { return std::chrono::steady_clock::now().time_since_epoch(); },
      .wall = [] { return std::chrono::system_clock::now().time_since_epoch(); },
      .sleep = [](Time time) { std::this_thread::sleep_for(time); },
      .interrupted = [&interrupts] { return interrupts.count() > 0; },
      .ask_osd = [&](std::int32_t osd,
                     const std::string& command) { return ask_osd(patient, osd, command); },
      .start_command = start_shell};
  if (probed) world.start_probe = [&](std::int32_t osd) { return probed->start(osd); };
  if (!asked.no_progress) {
    world.progress = [&](const std::string& text) { line.show("time: " + text); };
  }
  Timed timed;
  timed.session =
      timers::run_turns(world, shown.wish, shown.turns,
                        [&](const timers::Session& so_far) { file.save(shown, so_far); });
  line.clear();
  probed.reset();
  timed.saved_as = file.finish(shown, timed.session);
  return timed;
}

Result<Exit> time_osds(const TimeWords& asked) {
  const Timer timer = timer_of(asked);
  RADOSLOAD_TRY(check_time_words(asked));
  placement::OsdSelection selection;
  if (!asked.osds.empty()) {
    RADOSLOAD_ASSIGN(selection, placement::parse_osd_selection(asked.osds));
  }
  const base::Interrupts interrupts;  // must exist before librados starts its threads
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(asked.cluster));
  RADOSLOAD_ASSIGN(const auto shown, planned(asked, timer, selection, *admin));
  RADOSLOAD_TRY(may_restart(asked, shown, *admin));
  if (asked.dry_run) return print_plan(asked, shown);
  RADOSLOAD_ASSIGN(const auto timed, execute(asked, shown, *admin, interrupts));
  return print_timing(asked, shown, timed.session, timed.saved_as, exit_of_session(timed.session));
}

}  // namespace

Status may_time(const TimedCell& cell, const std::vector<std::int32_t>& osds) {
  RADOSLOAD_ASSIGN(auto asked, words_of_cell(cell));
  asked.osds = fmt::format("{}", fmt::join(osds, ","));
  RADOSLOAD_ASSIGN(const auto selection, placement::parse_osd_selection(asked.osds));
  RADOSLOAD_ASSIGN(const auto admin, cluster::Admin::open(asked.cluster));
  RADOSLOAD_ASSIGN(const auto shown, planned(asked, timer_of(asked), selection, *admin));
  return all_may_stop(asked, shown, *admin);
}

Result<TimedRow> time_cell(const TimedCell& cell, const base::Interrupts& interrupts) {
  RADOSLOAD_ASSIGN(const auto asked, words_of_cell(cell));
  const Timer timer = timer_of(asked);
  RADOSLOAD_ASSIGN(const auto selection, placement::parse_osd_selection(asked.osds));
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(asked.cluster));
  RADOSLOAD_ASSIGN(const auto shown, planned(asked, timer, selection, *admin));
  RADOSLOAD_TRY(may_restart(asked, shown, *admin));
  RADOSLOAD_ASSIGN(auto timed, execute(asked, shown, *admin, interrupts));
  TimedRow row{.id = shown.id, .row = {}, .interrupted = timed.session.interrupted};
  if (!timed.session.rows.empty()) row.row = std::move(timed.session.rows.front());
  return row;
}

void add_time(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand(
      "time", "Time an OSD's scrub, restart, compaction, benchmark or backfill");
  auto asked = std::make_shared<TimeWords>();
  add_time_words(*command, *asked);
  add_cluster_options(*command, asked->cluster);
  command->final_callback([asked, &chosen] { chosen = [asked] { return time_osds(*asked); }; });
}

}  // namespace radosload::cli
