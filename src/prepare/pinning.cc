#include "prepare/pinning.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "placement/object_hash.h"
#include "placement/osd_select.h"
#include "placement/pins.h"

#include <fmt/format.h>

namespace radosload::prepare {

namespace {

// Of objects that are made for this run.
constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

using PgOf = std::function<std::uint32_t(std::uint64_t)>;

// Our own hash, as long as the client gives the same for the first few objects: a pool may
// have another one. The client takes a lock and a look at its map for each name.
PgOf pg_finder(const ClusterSession& session, const ObjectNaming& names, std::uint64_t objects) {
  const std::uint64_t compared = std::min<std::uint64_t>(16, objects);
  placement::ObjectHash hash(names.nspace, session.space.pool.pg_num);
  bool alike = true;
  for (std::uint64_t i = 0; names.pg_of && i < compared && alike; ++i) {
    const std::string name = names.name_of(i);
    alike = hash(name) == names.pg_of(name);
  }
  if (alike) {
    return [hash, name_of = names.name_of](std::uint64_t object) mutable {
      return hash(name_of(object));
    };
  }
  return
      [names](std::uint64_t object) { return names.pg_of(names.name_of(object)).value_or(no_pg); };
}

}  // namespace

Result<std::vector<std::int32_t>> pinned_osds(const PinPlan& pins,
                                              const placement::OsdInventory& inventory) {
  if (!pins.any()) return std::vector<std::int32_t>{};
  RADOSLOAD_ASSIGN(const auto selection, placement::parse_osd_selection(pins.osds));
  return placement::select_osds(selection, inventory);
}

Result<Picked> pick_objects(const RunPlan& plan, const ClusterSession& session,
                            const workload::Layout& layout, const ObjectNaming& names,
                            std::uint64_t candidates) {
  if (session.space.pgs.empty()) return fail(unseen_pgs(session));
  if (!names.name_of) {
    return fail(
        {.attempt = "pin objects to OSDs",
         .subject = fmt::format("in pool {}", session.space.pool.name),
         .reason = "the data of this encrypted image does not start at an object's boundary",
         .hint = "leave out --osd, or take an image without encryption",
         .exit = Exit::refused});
  }
  RADOSLOAD_ASSIGN(
      const auto pinned,
      placement::pin_objects(session.space.pgs,
                             {.pool = session.space.pool.name,
                              .osds = layout.osds,
                              .mode = plan.pins.mode,
                              .each = layout.objects / layout.osds.size(),
                              .candidates = candidates,
                              .fewer_will_do = candidates > 0 && !plan.size_named},
                             pg_finder(session, names, candidates == 0 ? any_number : candidates)));
  Picked picked;
  for (const auto& one : pinned) {
    picked.numbers.insert(picked.numbers.end(), one.objects.begin(), one.objects.end());
    picked.pgs.insert(picked.pgs.end(), one.pgs.begin(), one.pgs.end());
  }
  return picked;
}

Error unseen_pgs(const ClusterSession& session) {
  return {.attempt = "pin objects to OSDs",
          .subject = fmt::format("in pool {}", session.space.pool.name),
          .reason = "the OSDs of its placement groups are unknown",
          .hint =
              "this needs a running mgr, and a user with the cap mgr 'allow r': 'radosload auth "
              "pinning' prints the command",
          .exit = Exit::no_cluster};
}

std::shared_ptr<ObjectPlacement> locate_objects(const ClusterSession& session,
                                                const workload::Layout& layout,
                                                const ObjectNaming& names,
                                                const std::vector<std::uint64_t>& numbers) {
  if (session.space.pgs.empty() || !names.name_of) return nullptr;
  const PgOf pg_of = pg_finder(session, names, numbers.empty() ? layout.objects : numbers.front());
  const std::uint32_t pg_num = session.space.pool.pg_num;
  std::vector<std::uint32_t> pgs;
  pgs.reserve(layout.objects);
  for (std::uint64_t i = 0; i < layout.objects; ++i) {
    const std::uint32_t pg = pg_of(numbers.empty() ? i : numbers[i]);
    if (pg >= pg_num) return nullptr;
    pgs.push_back(pg);
  }
  auto locations = std::make_shared<ObjectPlacement>(numbers, std::move(pgs), pg_num);
  std::vector<std::int32_t> members;
  for (std::size_t i = 0; i < session.space.pgs.size(); ++i) {
    const placement::Pg pg = session.space.pgs.at(i);
    if (pg.seed >= pg_num) continue;
    locations->move(pg.seed, pg.primary);
    members.assign(pg.acting.begin(), pg.acting.end());
    std::erase(members, placement::no_shard);
    locations->set_members(pg.seed, members);
  }
  return locations;
}

Status check_still_there(const ClusterSession& session, const workload::Layout& layout,
                         const ObjectPlacement& locations) {
  const std::uint64_t each = layout.objects / layout.osds.size();
  for (std::size_t i = 0; i < locations.size(); ++i) {
    const std::int32_t wanted = layout.osds[i / each];
    const std::int32_t now = locations.osd_of(locations.pgs()[i]);
    if (now == wanted) continue;
    return fail({.attempt = "use the objects of an earlier run",
                 .subject = fmt::format("that were chosen for osd.{}", wanted),
                 .reason = fmt::format("PG {}.{:x} is now served by osd.{}", session.space.pool.id,
                                       locations.pgs()[i], now),
                 .hint = "leave out --reuse: the run then writes new objects",
                 .exit = Exit::refused});
  }
  return {};
}

}  // namespace radosload::prepare
