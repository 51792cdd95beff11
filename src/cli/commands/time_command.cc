// `radosload time`: measures how long an OSD's scrub, restart, compaction, benchmark or backfill
// takes.

#include <algorithm>
#include <array>
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
#include "cli/commands/timing_file.h"
#include "cli/mistakes.h"
#include "cli/options/format_options.h"
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

namespace radosload::cli {

namespace {

using timers::Timer;

struct TimeCommand {
  ClusterOptions cluster;
  std::string timer;
  std::string osds;
  std::uint32_t rounds = 1;
  std::uint64_t seed = 0;
  Time limit = std::chrono::minutes(10);
  bool deep = false;
  std::string restart;
  std::vector<std::string> offline_pools;
  std::string how;
  Bytes block = mib(4);
  Bytes bytes = {};
  std::string pool;
  bool dry_run = false;
  bool yes = false;
  TimingSaving saving;
  std::string format = "text";
  bool no_progress = false;
};

constexpr std::array all_timers = {Timer::scrub, Timer::peering, Timer::compact, Timer::bench,
                                   Timer::backfill};

Timer timer_of(const TimeCommand& asked) {
  return *std::find_if(all_timers.begin(), all_timers.end(),
                       [&](Timer one) { return timers::timer_name(one) == asked.timer; });
}

Status time_usage(std::string reason, std::string hint) {
  return fail({.reason = std::move(reason), .hint = std::move(hint), .exit = Exit::usage});
}

Status check_peering(const TimeCommand& asked) {
  if (asked.restart.empty() == asked.how.empty()) {
    return time_usage("'time peering' needs either --restart-cmd or --how down",
                      "for example --restart-cmd 'ssh node1 systemctl restart ceph-osd@{osd}'");
  }
  if (!asked.restart.empty() && asked.restart.find("{osd}") == std::string::npos) {
    return time_usage("--restart-cmd has no {osd} for the number of the OSD",
                      "for example --restart-cmd 'ceph orch daemon restart osd.{osd}'");
  }
  return {};
}

Status check_options(const TimeCommand& asked, Timer timer) {
  if (asked.deep && timer != Timer::scrub)
    return time_usage("--deep is for 'time scrub'", "leave it out");
  if (timer == Timer::peering) {
    if (auto checked = check_peering(asked); !checked) return checked;
  } else if (!asked.restart.empty() || !asked.how.empty() || !asked.offline_pools.empty()) {
    return time_usage("--restart-cmd, --how and --offline-pools are for 'time peering'",
                      "leave them out");
  }
  if (!asked.pool.empty() && timer != Timer::compact)
    return time_usage("--pool is for 'time compact'", "leave it out");
  const TimeCommand defaults;
  if (timer != Timer::bench && (asked.block != defaults.block || asked.bytes.count > 0))
    return time_usage("--bs and --bytes are for 'time bench'", "leave them out");
  if (asked.block.count == 0 || asked.block > timers::largest_bench_block)
    return time_usage("--bs must be from 1 byte to 64 MiB", "OSDs refuse larger blocks");
  if (asked.rounds == 0) return time_usage("--rounds must be at least 1", "");
  if (asked.saving.overwrite && !asked.saving.names_file()) {
    return time_usage("--overwrite needs --save FILE", "leave out --overwrite, or add --save FILE");
  }
  if (asked.limit <= Time{0}) return time_usage("--limit must be longer than 0 s", "");
  if (timer == Timer::backfill) {
    if (asked.rounds > 1) return time_usage("'time backfill' has one round", "leave --rounds out");
    return {};
  }
  if (asked.osds.empty())
    return time_usage(fmt::format("'time {}' needs --osd", asked.timer),
                      "name the OSDs, for example --osd 0,3");
  return {};
}

Error down_osd(std::int32_t osd) {
  return {.attempt = "time",
          .subject = fmt::format("osd.{}", osd),
          .reason = "it is down",
          .hint = "start it, or choose other OSDs with --osd; 'radosload osds' lists them",
          .exit = Exit::no_cluster};
}

// The planned measurements, and what the cluster reports about the chosen OSDs.
Result<views::TimersShown> planned(const TimeCommand& asked, Timer timer,
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

Exit print_timing(const TimeCommand& asked, const views::TimersShown& shown,
                  const timers::Session& session, const std::string& saved_as, Exit exit) {
  const std::string hint = shown_again(saved_as);
  if (asked.format == "json") return print_result(views::timers_json(shown, session), exit, hint);
  if (asked.format == "csv") return print_result(views::timers_csv(shown, session), exit, hint);
  return print_result(views::timers_text(shown, session, saved_as), exit, hint);
}

// Prints what would be done; saves nothing.
Exit print_plan(const TimeCommand& asked, views::TimersShown shown) {
  if (asked.format == "text") return print_result(views::timers_plan_text(shown));
  shown.id.clear();
  return print_timing(asked, shown, {}, "", Exit::measured);
}

// Refuses all restarts before the first one: without --yes, or if one would make PGs unavailable.
Status may_restart(const TimeCommand& asked, const views::TimersShown& shown,
                   AdminCommands& commands) {
  for (const std::int32_t osd : shown.osds) {
    RADOSLOAD_TRY(timers::ok_to_stop(commands, osd, asked.offline_pools));
  }
  if (asked.yes || asked.dry_run) return {};
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

Result<std::shared_ptr<cluster::Admin>> patient_admin(const TimeCommand& asked, Timer timer) {
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

Result<Timed> execute(const TimeCommand& asked, const views::TimersShown& shown,
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

Result<Exit> time_osds(const TimeCommand& asked) {
  const Timer timer = timer_of(asked);
  if (const auto checked = check_options(asked, timer); !checked) return fail(checked.error());
  placement::OsdSelection selection;
  if (!asked.osds.empty()) {
    RADOSLOAD_ASSIGN(selection, placement::parse_osd_selection(asked.osds));
  }
  const base::Interrupts interrupts;  // must exist before librados starts its threads
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(asked.cluster));
  RADOSLOAD_ASSIGN(const auto shown, planned(asked, timer, selection, *admin));
  if (timer == Timer::peering) RADOSLOAD_TRY(may_restart(asked, shown, *admin));
  if (asked.dry_run) return print_plan(asked, shown);
  RADOSLOAD_ASSIGN(const auto timed, execute(asked, shown, *admin, interrupts));
  return print_timing(asked, shown, timed.session, timed.saved_as, exit_of_session(timed.session));
}

void add_time_options(CLI::App& command, TimeCommand& asked) {
  command.add_option("TIMER", asked.timer, "scrub, peering, compact, bench or backfill")
      ->check(CLI::IsMember({"scrub", "peering", "compact", "bench", "backfill"}))
      ->required();
  command
      .add_option("--osd", asked.osds,
                  "the OSDs, as in 0,3-5,host=NAME,class=hdd,kind=wal; backfill: the "
                  "OSDs you will rebuild next")
      ->type_name("LIST");
  command.add_option("--rounds", asked.rounds, "visit every OSD this often, in shuffled order")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--seed", asked.seed, "seed of the order; 0: choose one and print it")
      ->type_name("N")
      ->capture_default_str();
  add_duration(command, "--limit", asked.limit, "time limit of each OSD");
  command.add_flag("--deep", asked.deep, "scrub: deep scrub");
  command
      .add_option("--restart-cmd", asked.restart,
                  "peering: shell command that restarts an OSD; {osd} is its number")
      ->type_name("CMD");
  command
      .add_option("--how", asked.how,
                  "peering: 'down' has the mons mark the OSD down; it comes up by itself")
      ->check(one_of_choices("down"))
      ->type_name("down");
  command
      .add_option("--offline-pools", asked.offline_pools,
                  "peering: the PGs of these pools may be unavailable meanwhile, as in wal1,db1")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("POOLS")
      ->configurable(false);
  add_size(command, "--bs", asked.block, "bench: block size, 64 MiB at most");
  command
      .add_option_function<std::string>(
          "--bytes",
          [&asked](const std::string& given) {
            auto bytes = parse_bytes(given);
            if (!bytes) throw WrongValue(bytes.error());
            asked.bytes = *bytes;
          },
          "bench: bytes to write [what OSDs allow: 3,000 blocks below 1 MiB, else 1 GiB]")
      ->type_name("SIZE");
  command
      .add_option("--pool", asked.pool,
                  "compact: pool in which small reads are timed, before and meanwhile")
      ->type_name("POOL");
  command.add_flag("--dry-run", asked.dry_run, "only show what would be done")->configurable(false);
  command
      .add_flag("--yes", asked.yes,
                "peering: do it; without this option, only show what would be "
                "done")
      ->configurable(false);
  command
      .add_option("--save", asked.saving.file,
                  "save the document there instead of in the store; 'none': do not save it")
      ->configurable(false)
      ->type_name("FILE");
  command.add_flag("--overwrite", asked.saving.overwrite, "replace an existing file of --save")
      ->configurable(false);
  add_format_options(command, asked.format, {.names = {"text", "json", "csv"}});
  command.add_flag("--no-progress", asked.no_progress, "no progress on stderr");
}

// Parses the options of a cell like those of `radosload time`.
Result<TimeCommand> time_words(const TimedCell& cell) {
  TimeCommand asked;
  CLI::App program("", "radosload");
  auto* const command = program.add_subcommand("time", "");
  add_time_options(*command, asked);
  std::vector<std::string> words = {"time"};
  words.insert(words.end(), cell.words.begin(), cell.words.end());
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    return fail(usage_error(program, words, error));
  }
  asked.cluster = cell.cluster;
  asked.osds = std::to_string(cell.osd);
  asked.rounds = 1;
  asked.yes = cell.yes;
  asked.no_progress = cell.no_progress;
  RADOSLOAD_TRY(check_options(asked, timer_of(asked)));
  return asked;
}

}  // namespace

Status check_timer_words(const TimedCell& cell) {
  RADOSLOAD_ASSIGN(const auto asked, time_words(cell));
  if (timer_of(asked) == Timer::backfill) {
    return time_usage("'time backfill' measures the whole cluster, and a study measures OSDs",
                      "leave it out of the study");
  }
  if (timer_of(asked) != Timer::peering || asked.yes) return {};
  return fail({.attempt = "restart OSDs",
               .reason = "--yes is missing",
               .hint = "add --yes to allow the study to restart its OSDs",
               .exit = Exit::refused});
}

Result<std::string> restart_command_of(const std::vector<std::string>& words) {
  RADOSLOAD_ASSIGN(auto asked, time_words({.words = words}));
  return std::move(asked.restart);
}

Result<TimedRow> time_cell(const TimedCell& cell, const base::Interrupts& interrupts) {
  RADOSLOAD_ASSIGN(const auto asked, time_words(cell));
  const Timer timer = timer_of(asked);
  RADOSLOAD_ASSIGN(const auto selection, placement::parse_osd_selection(asked.osds));
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(asked.cluster));
  RADOSLOAD_ASSIGN(const auto shown, planned(asked, timer, selection, *admin));
  if (timer == Timer::peering) RADOSLOAD_TRY(may_restart(asked, shown, *admin));
  RADOSLOAD_ASSIGN(auto timed, execute(asked, shown, *admin, interrupts));
  TimedRow row{.id = shown.id, .row = {}, .interrupted = timed.session.interrupted};
  if (!timed.session.rows.empty()) row.row = std::move(timed.session.rows.front());
  return row;
}

void add_time(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand(
      "time", "Time an OSD's scrub, restart, compaction, benchmark or backfill");
  auto asked = std::make_shared<TimeCommand>();
  add_time_options(*command, *asked);
  add_cluster_options(*command, asked->cluster);
  command->final_callback([asked, &chosen] { chosen = [asked] { return time_osds(*asked); }; });
}

}  // namespace radosload::cli
