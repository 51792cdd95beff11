#include "cli/commands/time_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/mistakes.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/options/run_words.h"
#include "timers/osd_work.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

using timers::Timer;

constexpr std::array all_timers = {Timer::scrub, Timer::peering, Timer::compact, Timer::bench,
                                   Timer::backfill};

Status time_usage(std::string reason, std::string hint) {
  return fail({.reason = std::move(reason), .hint = std::move(hint), .exit = Exit::usage});
}

Status check_peering(const TimeWords& asked) {
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

}  // namespace

timers::Timer timer_of(const TimeWords& asked) {
  return *std::find_if(all_timers.begin(), all_timers.end(),
                       [&](Timer one) { return timers::timer_name(one) == asked.timer; });
}

Status check_time_words(const TimeWords& asked) {
  const Timer timer = timer_of(asked);
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
  const TimeWords defaults;
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

void add_time_words(CLI::App& command, TimeWords& asked) {
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

Result<TimeWords> words_of_cell(const TimedCell& cell) {
  TimeWords asked;
  CLI::App program("", "radosload");
  auto* const command = program.add_subcommand("time", "");
  add_time_words(*command, asked);
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
  RADOSLOAD_TRY(check_time_words(asked));
  return asked;
}

Status check_timer_words(const TimedCell& cell) {
  RADOSLOAD_ASSIGN(const auto asked, words_of_cell(cell));
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
  RADOSLOAD_ASSIGN(auto asked, words_of_cell({.words = words}));
  return std::move(asked.restart);
}

}  // namespace radosload::cli
