#include "prepare/inactive_pgs.h"

#include <chrono>
#include <thread>

#include "observe/space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::prepare {

namespace {

// Peering takes seconds, and what is known of PGs is as old again.
constexpr int looks = 15;
constexpr std::chrono::seconds between_looks(1);
constexpr std::size_t most_named = 4;

std::string name_of(const placement::Pg& pg, std::int64_t pool) {
  const std::string id = fmt::format("{}.{:x}", pool, pg.seed);
  return pg.primary < 0 ? id + " has no OSD" : fmt::format("{} waits on osd.{}", id, pg.primary);
}

}  // namespace

std::optional<std::string> inactive_pgs(const placement::SpaceView& space) {
  std::vector<std::string> named;
  std::size_t count = 0;
  for (std::size_t i = 0; i < space.pgs.size(); ++i) {
    const placement::Pg pg = space.pgs.at(i);
    // The mgr has a PG as active until it hears otherwise, which may be never when the OSD's last
    // word came late; who is down the mons know.
    if (pg.active && !space.down.contains(pg.primary)) continue;
    if (++count <= most_named) named.push_back(name_of(pg, space.pool.id));
  }
  if (count == 0) return std::nullopt;
  if (count > most_named) named.emplace_back("...");
  return fmt::format("{} of {} PGs of pool {} take{} no operations ({})", count, space.pgs.size(),
                     space.pool.name, count == 1 ? "s" : "", fmt::join(named, ", "));
}

Status check_pgs(const RunPlan& plan, const ClusterSession& session) {
  if (plan.allow_unhealthy) return {};
  const auto inactive = inactive_pgs(session.space);
  if (!inactive) return {};
  return fail({.attempt = "start the run",
               .reason = *inactive,
               .hint = "'ceph health detail' shows which OSDs they need; --allow-unhealthy starts "
                       "anyway and waits for them",
               .exit = Exit::refused});
}

Status await_pgs(const RunPlan& plan, ClusterSession& session, const base::Interrupts& interrupts,
                 record::ProgressListener& listener) {
  Status checked = check_pgs(plan, session);
  if (checked) return {};
  listener.note(
      fmt::format("waiting up to {} s: {}", looks * between_looks.count(), checked.error().reason));
  for (int look = 0; look < looks && !checked && interrupts.count() == 0; ++look) {
    std::this_thread::sleep_for(between_looks);
    observe::refresh_pgs(*session.admin, session.space);
    checked = check_pgs(plan, session);
  }
  if (interrupts.count() > 0) {
    return fail(
        {.attempt = "start the run", .reason = interrupts.name(), .exit = Exit::interrupted});
  }
  return checked;
}

}  // namespace radosload::prepare
