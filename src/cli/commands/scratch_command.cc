// `radosload scratch`: creates and removes pools of size 1 that are limited to chosen OSDs.

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/interrupts.h"
#include "cli/commands/command.h"
#include "cli/commands/confirm.h"
#include "cli/commands/scratch_actions.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cluster/admin.h"
#include "footprint/owner.h"
#include "footprint/scratch.h"
#include "footprint/scratch_removal.h"
#include "observe/osds.h"
#include "observe/space.h"
#include "placement/osd_select.h"
#include "record/store.h"
#include "views/scratch_text.h"

#include <fmt/core.h>
#include <fmt/format.h>

namespace radosload::cli {

namespace {

struct ScratchCommand {
  ClusterOptions cluster;
  std::string action;
  std::vector<std::string> names;
  std::string osds;
  std::uint32_t pg_num = 0;
  Time wait = std::chrono::minutes(2);
  bool all = false;
  bool force = false;
  bool yes = false;
  std::string format = "text";
  bool no_progress = false;
  bool json() const { return format == "json"; }
};

footprint::ScratchHooks hooks_for(const base::Interrupts& interrupts, ProgressLine& line,
                                  bool quiet) {
  footprint::ScratchHooks hooks;
  hooks.now = [] { return std::chrono::steady_clock::now().time_since_epoch(); };
  hooks.sleep = [](Time time) { std::this_thread::sleep_for(time); };
  hooks.interrupted = [&interrupts] { return interrupts.count() > 0; };
  if (!quiet) {
    hooks.step = [&line](const std::string& text) { line.say("scratch: " + text); };
    hooks.progress = [&line](const std::string& text) { line.show("scratch: " + text); };
  }
  return hooks;
}

std::vector<std::string> full_names(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  names.reserve(given.size());
  for (const std::string& name : given) names.push_back(footprint::scratch_name(name));
  return names;
}

footprint::ScratchMark mark_now() {
  std::string since = record::iso_time(std::chrono::system_clock::now());
  std::erase(since, '-');
  std::erase(since, ':');
  return {.owner = footprint::this_process(), .since = since};
}

Error not_without_yes(std::string attempt, const std::string& subject) {
  return {.attempt = std::move(attempt),
          .subject = subject,
          .reason = "--yes is missing",
          .hint = "add --yes to do what is shown above",
          .exit = Exit::refused};
}

std::vector<views::ScratchShown> shown(cluster::Admin& admin,
                                       std::vector<footprint::ScratchFound> found) {
  std::vector<views::ScratchShown> pools;
  pools.reserve(found.size());
  for (footprint::ScratchFound& one : found) {
    views::ScratchShown pool{.found = std::move(one)};
    if (pool.found.pool >= 0) {
      const auto pgs = observe::fetch_pgs(admin, pool.found.pool);
      if (pgs) pool.pgs = views::counted_pgs(*pgs);
    }
    pools.push_back(std::move(pool));
  }
  return pools;
}

Result<Exit> print_json(cluster::Admin& admin, const std::string& name) {
  RADOSLOAD_ASSIGN(const auto view, footprint::fetch_scratch(admin));
  auto found = footprint::find_scratch(view);
  std::erase_if(found, [&](const auto& one) { return !name.empty() && one.name != name; });
  return print_result(views::scratch_list_json(shown(admin, std::move(found))));
}

Result<footprint::ScratchPlan> plan(cluster::Admin& admin, const ScratchCommand& asked,
                                    const placement::OsdSelection& selection) {
  RADOSLOAD_ASSIGN(const auto inventory, observe::fetch_osds(admin));
  RADOSLOAD_ASSIGN(const auto osds, placement::select_osds(selection, inventory));
  const std::string name =
      asked.names.empty() ? footprint::scratch_name(osds) : full_names(asked.names).front();
  return footprint::plan_scratch(admin, inventory,
                                 {.name = name, .osds = osds, .pg_num = asked.pg_num});
}

Result<Exit> create(const ScratchCommand& asked) {
  RADOSLOAD_ASSIGN(const auto selection, placement::parse_osd_selection(asked.osds));
  const base::Interrupts interrupts;  // must exist before librados starts its threads
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(asked.cluster));
  RADOSLOAD_ASSIGN(const auto planned, plan(*admin, asked, selection));
  if (!asked.yes) {
    // The creation is refused even if the list cannot be written.
    static_cast<void>(
        print_result(asked.json() ? views::scratch_plan_json(planned)
                                  : "This would be made:\n" + views::scratch_plan_text(planned)));
    return fail(not_without_yes("make the scratch pool", planned.name));
  }
  ProgressLine line;
  const auto made =
      footprint::make_scratch(*admin, planned, {.limit = asked.wait, .mark = mark_now()},
                              hooks_for(interrupts, line, asked.no_progress));
  line.clear();
  if (!made) return fail(made.error());
  if (asked.json()) return print_json(*admin, planned.name);
  return print_result(views::scratch_made_text(planned));
}

Result<Exit> destroy(const ScratchCommand& asked) {
  auto done = remove_scratch_pools(asked.cluster, {.names = full_names(asked.names),
                                                   .force = asked.force,
                                                   .dry_run = !asked.yes,
                                                   .json = asked.json(),
                                                   .quiet = asked.no_progress,
                                                   .held_is_refusal = true});
  if (done && !asked.yes) return fail(not_without_yes("remove scratch pools", ""));
  return done;
}

Result<Exit> list(const ScratchCommand& asked) {
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(asked.cluster));
  if (asked.json()) return print_json(*admin, {});
  RADOSLOAD_ASSIGN(const auto view, footprint::fetch_scratch(*admin));
  return print_result(views::scratch_list_text(shown(*admin, footprint::find_scratch(view))));
}

Result<Exit> run_action(const ScratchCommand& asked) {
  const auto usage = [](std::string reason, std::string hint) {
    return fail({.reason = std::move(reason), .hint = std::move(hint), .exit = Exit::usage});
  };
  if (asked.action == "create") {
    if (asked.osds.empty()) {
      return usage("'scratch create' needs --osd", "name the OSDs, for example --osd 0,3");
    }
    if (asked.names.size() > 1)
      return usage("'scratch create' makes one pool", "give one NAME, or none");
    if (asked.all || asked.force)
      return usage("--all and --force are for 'scratch destroy'", "leave them out");
    return create(asked);
  }
  if (!asked.osds.empty() || asked.pg_num > 0) {
    return usage("--osd and --pg-num are for 'scratch create'", "leave them out");
  }
  if (asked.action == "list") return list(asked);
  if (asked.names.empty() != asked.all) {
    return usage("'scratch destroy' needs either names or --all",
                 "'radosload scratch list' shows the names");
  }
  return destroy(asked);
}

void add_options(CLI::App& command, ScratchCommand& asked) {
  command.add_option("ACTION", asked.action, "create, destroy or list")
      ->check(CLI::IsMember({"create", "destroy", "list"}))
      ->required();
  command.add_option("NAME", asked.names,
                     "pools; the prefix radosload-scratch- may be left out [create: named after "
                     "the OSDs]");
  command
      .add_option("--osd", asked.osds, "create: the OSDs, as in 0,3-5,host=NAME,class=hdd,kind=wal")
      ->type_name("LIST");
  command
      .add_option("--pg-num", asked.pg_num,
                  "create: number of PGs, a power of two [8 for each OSD]")
      ->type_name("N");
  add_duration(command, "--wait", asked.wait, "create: time limit for the PGs to become active");
  command.add_flag("--all", asked.all, "destroy: all scratch pools")->configurable(false);
  command.add_flag("--force", asked.force, "destroy: also pools in use")->configurable(false);
  command.add_flag("--yes", asked.yes, "do it; without this option, only show what would be done")
      ->configurable(false);
  add_format_options(command, asked.format);
  command.add_flag("--no-progress", asked.no_progress, "no progress on stderr");
}

Exit exit_of(const ScratchRemoving& removing, const footprint::ScratchRemovals& removed) {
  if (removed.interrupted) return Exit::interrupted;
  if (removed.any(footprint::Fate::failed)) return Exit::flawed;
  const bool refused = removing.held_is_refusal && removed.any(footprint::Fate::held);
  return refused ? Exit::refused : Exit::measured;
}

// The pools that a dry run would remove.
std::vector<std::string> removable(const footprint::ScratchRemovals& found) {
  std::vector<std::string> names;
  for (const footprint::ScratchRemoved& one : found.pools) {
    if (one.fate == footprint::Fate::would) names.push_back(one.name);
  }
  return names;
}

}  // namespace

Result<Exit> remove_scratch_pools(const ClusterOptions& cluster, const ScratchRemoving& removing) {
  const base::Interrupts interrupts;  // must exist before librados starts its threads
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(cluster));
  RADOSLOAD_ASSIGN(auto connection, cluster::Connection::open(cluster));
  constexpr std::chrono::seconds glance(10);
  footprint::ScratchRemoval removal{
      .names = removing.names, .force = removing.force, .dry_run = removing.dry_run};
  removal.in_use = [&](const std::string& pool) {
    return footprint::scratch_in_use(connection, pool, glance);
  };
  ProgressLine line;
  const auto hooks = hooks_for(interrupts, line, removing.quiet);
  if (removing.ask) {
    removal.dry_run = true;
    const auto found = footprint::remove_scratch(*admin, removal, hooks);
    line.clear();
    if (!found) return fail(found.error());
    removal.names = removable(*found);
    if (removal.names.empty()) {
      return print_result(views::scratch_removed_text(*found), exit_of(removing, *found));
    }
    RADOSLOAD_TRY(confirm_removal({.attempt = "remove scratch pools",
                                   .subject = "",
                                   .shown = views::scratch_removed_text(*found)},
                                  interrupts));
    removal.dry_run = false;
  }
  const auto removed = footprint::remove_scratch(*admin, removal, hooks);
  line.clear();
  if (!removed) return fail(removed.error());
  return print_result(
      removing.json ? views::scratch_removed_json(*removed) : views::scratch_removed_text(*removed),
      exit_of(removing, *removed));
}

void add_scratch(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("scratch", "Make pools of size 1, where a write touches one OSD only");
  auto asked = std::make_shared<ScratchCommand>();
  add_options(*command, *asked);
  add_cluster_options(*command, asked->cluster);
  command->final_callback([asked, &chosen] { chosen = [asked] { return run_action(*asked); }; });
}

}  // namespace radosload::cli
