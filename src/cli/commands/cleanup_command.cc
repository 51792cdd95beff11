// `radosload cleanup`: its options, its progress, and its summary.

#include <chrono>
#include <memory>
#include <set>
#include <string>

#include "radosload/printable.h"

#include "base/interrupts.h"
#include "cli/commands/command.h"
#include "cli/commands/confirm.h"
#include "cli/commands/flag_actions.h"
#include "cli/commands/scratch_actions.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cluster/bounded_io.h"
#include "cluster/connection.h"
#include "footprint/cleanup.h"
#include "prepare/files.h"
#include "study/leftovers.h"
#include "views/cleanup_json.h"
#include "views/cleanup_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

using footprint::CleanupProgress;
using footprint::CleanupReport;
using footprint::Fate;
using footprint::RunCleanup;

struct CleanupCommand {
  ClusterOptions cluster;
  std::string pool;
  std::string file_system;
  std::string nspace = "radosload";
  std::string run;
  bool scan = false;
  bool force = false;
  bool dry_run = false;
  bool scratch = false;
  bool flags = false;
  bool yes = false;
  std::string format = "text";
  Time stall_limit = std::chrono::seconds(30);
};

std::string text_of(const CleanupProgress& progress) {
  std::string text = fmt::format("cleanup: {} {}", progress.what, progress.done);
  if (progress.of > 0) {
    text +=
        fmt::format(" of {} objects ({:.0f} %)", progress.of,
                    100.0 * static_cast<double>(progress.done) / static_cast<double>(progress.of));
  }
  return text;
}

std::string where(const CleanupCommand& asked) {
  return printable(fmt::format("pool {}, namespace '{}'", asked.pool, asked.nspace));
}

std::string summary(const CleanupCommand& asked, const CleanupReport& report, bool dry_run) {
  std::string text;
  bool objects = false;  // objects of any kind, not only images
  bool held = false;
  bool kept = false;
  bool unreadable = false;
  for (const RunCleanup& run : report.runs) {
    text += views::cleanup_line(run) + "\n";
    objects = objects || run.images.empty();
    held = held || run.fate == Fate::held;
    kept = kept || run.fate == Fate::kept;
    unreadable = unreadable || run.fate == Fate::unreadable;
  }
  if (report.runs.empty()) {
    text += asked.run.empty() ? fmt::format("nothing to clean up in {}\n", where(asked))
                              : fmt::format("no run {} in {}\n", asked.run, where(asked));
  } else if (!dry_run && asked.file_system.empty() && (objects || report.removed() > 0)) {
    text += fmt::format("{} objects removed from {}\n", report.removed(), where(asked));
  }
  std::vector<std::string> names;
  for (const RunCleanup& run : report.runs) {
    if (run.fate != Fate::removed) names.push_back(run.run);
  }
  const auto store = open_store();
  for (const std::string& study :
       store ? study::studies_of_runs(*store, names) : std::set<std::string>()) {
    text += fmt::format(
        "some of it is of a study, which removes it when it continues: radosload study --resume "
        "{}\n",
        study);
  }
  if (report.foreign > 0) {
    text +=
        fmt::format("{} objects there are not radosload's, and were not touched\n", report.foreign);
  }
  if (held) {
    text +=
        "A live run removes its own objects when it ends. The lease of a run that was killed on "
        "another machine expires within 30 s; clean up again then.\n";
  }
  if (kept) text += "Kept runs are removed by their id: --run ID.\n";
  if (unreadable) {
    text += "--run ID --scan --force removes the objects of one such run by their names.\n";
  }
  return text;
}

Exit exit_of_cleanup(const CleanupReport& report) {
  if (report.interrupted) return Exit::interrupted;
  return report.complete() ? Exit::measured : Exit::flawed;
}

Result<Exit> clean_up(const CleanupCommand& asked) {
  base::Interrupts interrupts;  // must exist before librados starts its threads
  RADOSLOAD_ASSIGN(auto connection, cluster::Connection::open(asked.cluster));
  RADOSLOAD_ASSIGN(auto pool, connection->pool(asked.pool, asked.nspace));
  const cluster::BoundedIo io(connection, std::move(pool), asked.stall_limit);

  ProgressLine progress;
  footprint::CleanupOptions options;
  options.run = asked.run;
  options.scan = asked.scan;
  options.force = asked.force;
  options.dry_run = asked.dry_run || !asked.yes;
  options.stall_limit = asked.stall_limit;
  options.progress = [&](const CleanupProgress& now) { progress.show(text_of(now)); };
  options.interrupted = [&] { return interrupts.count() > 0; };
  const auto clean = [&] {
    auto report = footprint::cleanup(io, options);
    progress.clear();
    return report;
  };
  RADOSLOAD_ASSIGN(auto report, clean());
  auto removable = report.removable();
  const bool ask = !asked.dry_run && !asked.yes && !report.interrupted && !removable.empty();
  if (ask) {
    RADOSLOAD_TRY(confirm_removal(
        {.attempt = "clean up", .subject = where(asked), .shown = summary(asked, report, true)},
        interrupts));
    // The user was not shown what other processes left after that, so it is not removed.
    options.agreed = std::move(removable);
    options.dry_run = false;
    RADOSLOAD_ASSIGN(report, clean());
  }
  if (asked.format == "json") {
    return print_result(views::cleanup_json({asked.pool, asked.nspace, asked.dry_run}, report),
                        exit_of_cleanup(report));
  }
  return print_result(summary(asked, report, options.dry_run), exit_of_cleanup(report));
}

// The notes about files are in the data pool of their file system.
Result<CleanupCommand> in_data_pool(CleanupCommand asked) {
  if (asked.file_system.empty()) return asked;
  RunPlan files;
  files.cluster = asked.cluster;
  files.target = TargetKind::cephfs;
  files.pool = asked.pool;
  files.files.system = asked.file_system;
  RADOSLOAD_ASSIGN(const auto placed, prepare::with_data_pool(files));
  asked.pool = placed.pool;
  return asked;
}

Result<Exit> clean_up_what(const CleanupCommand& asked) {
  const bool of_runs = asked.scan || !asked.run.empty() || !asked.file_system.empty();
  if (asked.scratch && of_runs) {
    return fail(
        {.reason = "--scratch removes pools; --run, --scan and --fs remove objects in a pool",
         .exit = Exit::usage});
  }
  if (asked.flags) {
    if (asked.scratch || of_runs || !asked.pool.empty()) {
      return fail({.reason = "--flags removes flags of OSDs; it takes no pool, run or --scratch",
                   .exit = Exit::usage});
    }
    return remove_noout_flags(asked.cluster, {.force = asked.force,
                                              .dry_run = asked.dry_run,
                                              .json = asked.format == "json",
                                              .ask = !asked.dry_run && !asked.yes});
  }
  if (asked.scratch) {
    ScratchRemoving removing{.force = asked.force,
                             .dry_run = asked.dry_run,
                             .json = asked.format == "json",
                             .ask = !asked.dry_run && !asked.yes};
    if (!asked.pool.empty()) removing.names.push_back(asked.pool);
    return remove_scratch_pools(asked.cluster, removing);
  }
  if (asked.force && asked.run.empty()) {
    return fail(
        {.reason = "--force needs --run: alone it would remove the objects of every running load",
         .hint = "use --run ID --force; what ended runs have left is removed without --force",
         .exit = Exit::usage});
  }
  if (asked.pool.empty() && asked.file_system.empty()) {
    return fail({.reason = "no pool is given",
                 .hint = "name it with --pool POOL, or its file system with --fs NAME, or use "
                         "--scratch for the pools of 'radosload scratch'",
                 .exit = Exit::usage});
  }
  RADOSLOAD_ASSIGN(const auto placed, in_data_pool(asked));
  return clean_up(placed);
}

}  // namespace

void add_cleanup(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("cleanup", "Remove what killed or kept runs have left in a pool");
  auto asked = std::make_shared<CleanupCommand>();
  command->add_option("--pool", asked->pool, "pool to clean")->type_name("POOL");
  command
      ->add_option("--fs", asked->file_system,
                   "file system to clean: what is noted in its first data pool, or in --pool")
      ->configurable(false)
      ->type_name("NAME");
  command->add_option("--namespace", asked->nspace, "namespace in it")
      ->type_name("NS")
      ->capture_default_str();
  command->add_option("--run", asked->run, "only this run, even if it is kept")
      ->configurable(false)
      ->type_name("ID");
  command->add_flag("--scan", asked->scan,
                    "also find objects without a manifest by their names "
                    "(reads all names in the pool)");
  command
      ->add_flag("--scratch", asked->scratch,
                 "remove scratch pools instead, and what a killed 'scratch create' left; "
                 "with --pool: only this one")
      ->configurable(false);
  command
      ->add_flag("--flags", asked->flags,
                 "unset noout instead where a killed 'time peering' left it")
      ->configurable(false);
  command
      ->add_flag("--force", asked->force,
                 "with --run: even if it still runs or its manifest is unreadable; with "
                 "--scratch: also pools that are in use; with --flags: also where the process may "
                 "still run")
      ->configurable(false);
  command->add_flag("--yes", asked->yes, "remove without asking; for scripts")->configurable(false);
  command->add_flag("--dry-run", asked->dry_run, "only show what would be removed")
      ->configurable(false);
  add_format_options(*command, asked->format);
  add_cluster_options(*command, asked->cluster);
  command->final_callback([asked, &chosen] { chosen = [asked] { return clean_up_what(*asked); }; });
}

}  // namespace radosload::cli
