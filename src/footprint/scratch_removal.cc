#include "footprint/scratch_removal.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/log.h"
#include "footprint/owner.h"
#include "footprint/scratch_commands.h"
#include "workload/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::footprint {

namespace {

using State = ScratchFound::State;

// Between rule, pool and mark of one that is being made lies less than that.
constexpr std::chrono::seconds second_look(4);

// Its maker is not known yet, and may still be creating it.
bool fresh(const ScratchFound& found) {
  return found.state == State::unmarked || found.state == State::rule_only;
}

bool is_called(const ScratchFound& found, const std::string& name) {
  return found.name == name || found.meant == name;
}

bool wanted(const ScratchRemoval& removal, const ScratchFound& found) {
  return removal.names.empty() ||
         std::any_of(removal.names.begin(), removal.names.end(),
                     [&](const std::string& name) { return is_called(found, name); });
}

Result<std::vector<ScratchFound>> find_wanted(AdminCommands& commands,
                                              const ScratchRemoval& removal) {
  RADOSLOAD_ASSIGN(const auto view, fetch_scratch(commands));
  auto found = find_scratch(view);
  for (const std::string& name : removal.names) {
    const bool ours = std::any_of(found.begin(), found.end(),
                                  [&](const ScratchFound& one) { return is_called(one, name); });
    if (ours) continue;
    const bool there = view.map.pool(name) != nullptr;
    return fail({.attempt = "remove the scratch pool",
                 .subject = name,
                 .reason = there ? "it is not a scratch pool: those have radosload's mark, no "
                                   "other application and size 1"
                                 : "there is no such scratch pool",
                 .hint = "'radosload scratch list' shows those there are",
                 .exit = there ? Exit::refused : Exit::no_cluster});
  }
  std::erase_if(found, [&](const ScratchFound& one) { return !wanted(removal, one); });
  return found;
}

// Pools that may just have been begun are checked a second time.
Result<std::vector<ScratchFound>> find_settled(AdminCommands& commands,
                                               const ScratchRemoval& removal,
                                               const ScratchHooks& hooks) {
  auto found = find_wanted(commands, removal);
  if (!found || removal.force || std::none_of(found->begin(), found->end(), fresh)) return found;
  hooks.step("checking whether another process is creating it");
  hooks.sleep(second_look);
  ScratchRemoval again = removal;
  again.names.clear();
  auto later = find_wanted(commands, again);
  if (!later) return later;
  // What was not there before is younger than the look. What has changed meanwhile stays as it was
  // first seen, and deleting it is refused; unless its name tells whose it is.
  std::vector<ScratchFound> settled;
  for (const ScratchFound& one : *found) {
    const auto now = std::find_if(later->begin(), later->end(), [&](const ScratchFound& other) {
      return other.name == one.name;
    });
    if (now == later->end()) continue;
    settled.push_back(parse_making_name(one.name) ? *now : one);
  }
  return settled;
}

// Why it is left alone; empty: it is not.
std::string held_by(const ScratchFound& found, const ScratchRemoval& removal) {
  if (by_prefix_alone(found) && removal.names.empty()) {
    return fmt::format(
        "no pool uses this rule, and only the beginning of its name says that radosload made it; "
        "'radosload scratch destroy {} --yes' removes it",
        found.name);
  }
  if (removal.force) return {};
  if (parse_making_name(found.name) && !certainly_gone(found.mark.owner)) {
    const Owner& owner = found.mark.owner;
    return fmt::format("pid {} on {} may still be creating it", owner.pid,
                       owner.host.empty() ? "an unknown host" : owner.host);
  }
  if (found.pool < 0) return {};
  const auto use = removal.in_use ? removal.in_use(found.name) : Result<std::string>();
  return use ? *use : fmt::format("its objects could not be listed: {}", use.error().message());
}

ScratchRemoved removed(AdminCommands& commands, const ScratchFound& found,
                       const ScratchRemoval& removal) {
  ScratchRemoved result{.name = found.name, .state = found.state};
  result.detail = held_by(found, removal);
  if (!result.detail.empty()) {
    result.fate = Fate::held;
  } else if (removal.dry_run) {
    result.fate = Fate::would;
  } else {
    const auto left =
        delete_scratch(commands, found, removal.force ? ScratchInUse() : removal.in_use);
    result.fate = !left ? Fate::failed : left->empty() ? Fate::removed : Fate::held;
    result.detail = left ? *left : left.error().message();
  }
  if (result.fate == Fate::removed) base::log_info("removed scratch pool {}", found.name);
  if (result.fate == Fate::held || result.fate == Fate::failed) {
    base::log_warning("scratch pool {} stays: {}", found.name, result.detail);
  }
  return result;
}

// The name may have been taken meanwhile: then it stays as it is.
void give_names_back(AdminCommands& commands, const ScratchView& view) {
  for (const Misnamed& one : find_misnamed(view)) {
    const std::string name(lasting_name(one.name));
    const std::string command =
        one.is_rule ? rule_renaming(one.name, name) : pool_renaming(one.name, name);
    if (auto done = tell_mons(commands, command, "give another client's its name back"); done) {
      base::log_warning("gave {} of another client its name back: {}", one.name, name);
    } else {
      base::log_warning("{} of another client keeps this name: {}", one.name,
                        one_line(done.error()));
    }
  }
}

}  // namespace

bool ScratchRemovals::any(Fate fate) const {
  return std::any_of(pools.begin(), pools.end(),
                     [&](const ScratchRemoved& one) { return one.fate == fate; });
}

Result<ScratchRemovals> remove_scratch(AdminCommands& commands, const ScratchRemoval& removal,
                                       const ScratchHooks& hooks) {
  RADOSLOAD_ASSIGN(const auto found, find_settled(commands, removal, hooks));
  ScratchRemovals results;
  if (!removal.dry_run) {
    RADOSLOAD_ASSIGN(const auto view, fetch_scratch(commands));
    give_names_back(commands, view);
  }
  results.pools.reserve(found.size());
  for (const ScratchFound& one : found) {
    if (hooks.interrupted()) {
      results.interrupted = true;
      break;
    }
    hooks.step((removal.dry_run ? "checking " : "removing ") + one.name);
    results.pools.push_back(removed(commands, one, removal));
  }
  return results;
}

namespace {

// What RBD keeps in every pool that has ever had an image.
bool of_no_account(const std::string& name) {
  return name == "rbd_directory" || name == "rbd_info" || name == "rbd_children" ||
         name == "rbd_trash";
}

// What keeps the pool by an object's name alone; empty for one of a run that is known.
std::string told_by(const std::string& name, const std::vector<Entry>& known) {
  if (name.starts_with(manifest_prefix)) {
    const std::string run = name.substr(manifest_prefix.size());
    const bool seen = std::any_of(known.begin(), known.end(),
                                  [&](const Entry& entry) { return entry.run == run; });
    return seen ? std::string()
                : fmt::format("run {} in another namespace uses it, or was killed", run);
  }
  if (name == index_object || workload::parse_object_name(name) || of_no_account(name)) return {};
  return fmt::format("it holds objects that radosload did not create, such as '{}'", name);
}

}  // namespace

Result<std::string> scratch_in_use(Site& runs, Site& everywhere) {
  RADOSLOAD_ASSIGN(const auto ids, runs.runs());
  std::vector<Entry> known;
  for (const std::string& id : ids) {
    RADOSLOAD_ASSIGN(const auto entry, runs.look_up(id));
    if (entry.held()) return fmt::format("run {} uses it, {}", entry.run, entry.holder);
    if (!entry.manifest && !entry.missing) {
      return fmt::format("run {} may use it: {}", entry.run, entry.problem);
    }
    const bool kept =
        entry.manifest && entry.manifest->keep && entry.manifest->state == footprint::State::ready;
    if (kept) return fmt::format("the data set of run {} is kept in it", entry.run);
    known.push_back(entry);
  }
  std::string told;
  RADOSLOAD_TRY(everywhere.list_names([&](const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (told.empty()) told = told_by(name, known);
    }
    return told.empty();
  }));
  return told;
}

Result<std::string> scratch_in_use(const std::shared_ptr<cluster::Connection>& connection,
                                   const std::string& pool, Time limit) {
  RADOSLOAD_ASSIGN(auto opened, connection->pool(pool, "radosload"));
  librados::IoCtx all;
  all.dup(opened);
  all.set_namespace(librados::all_nspaces);
  // Under its name of a moment the manifests of its runs would be of another pool.
  ClusterSite runs(cluster::BoundedIo(connection, std::move(opened), limit),
                   std::string(lasting_name(pool)));
  ClusterSite everywhere(cluster::BoundedIo(connection, std::move(all), limit));
  return scratch_in_use(runs, everywhere);
}

}  // namespace radosload::footprint
