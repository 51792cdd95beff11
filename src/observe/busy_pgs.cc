// PGs that do something besides serving clients: which states that are, and the commands that tell.

#include <algorithm>
#include <array>
#include <string_view>

#include "observe/disturbances.h"
#include "observe/json.h"
#include "placement/pgs_brief.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

struct Work {
  std::string_view state;  // a part of a PG's state
  std::string_view kind;
  std::string_view what;
};

// The first that fits. A PG that only waits for such work does not compete with the load.
constexpr std::array<Work, 6> works = {{{"deep", "scrub", "was deep-scrubbed"},
                                        {"scrubbing", "scrub", "was scrubbed"},
                                        {"backfilling", "recovery", "was backfilling"},
                                        {"recovering", "recovery", "was recovering"},
                                        {"snaptrim", "snaptrim", "was trimming snapshots"},
                                        {"degraded", "recovery", "was degraded"}}};

// "active+clean+scrubbing" has "scrubbing" and not "scrub".
bool has_part(std::string_view state, std::string_view part) {
  while (!state.empty()) {
    const std::size_t plus = std::min(state.find('+'), state.size());
    if (state.substr(0, plus) == part) return true;
    state.remove_prefix(std::min(plus + 1, state.size()));
  }
  return false;
}

const Work* work_of(std::string_view state) {
  const auto* const found = std::find_if(
      works.begin(), works.end(), [&](const Work& work) { return has_part(state, work.state); });
  return found == works.end() ? nullptr : found;
}

}  // namespace

std::string pg_name(std::int64_t pool, std::uint32_t seed) {
  return fmt::format("{}.{:x}", pool, seed);
}

bool is_busy(std::string_view pg_state) {
  return work_of(pg_state) != nullptr;
}

std::uint64_t busy_pgs(const ClusterStatus& status) {
  std::uint64_t count = 0;
  for (const auto& [state, pgs] : status.pg_states) {
    if (is_busy(state)) count += pgs;
  }
  return count;
}

std::string busy_pgs_command(std::int64_t pool) {
  Json command = {{"prefix", "pg ls"},
                  {"states", {"scrubbing", "backfilling", "recovering", "snaptrim"}},
                  {"format", "json"}};
  if (pool < 0) return command.dump();
  command["pool"] = pool;
  // Of a whole cluster this list may be long.
  command["states"].push_back("degraded");
  return command.dump();
}

Result<std::vector<BusyPg>> parse_busy_pgs(const std::string& json) {
  std::vector<BusyPg> busy;
  RADOSLOAD_TRY(placement::read_pgs_brief(json, [&](const placement::BriefPg& pg) {
    if (pg.pool < 0 || !is_busy(pg.state)) return;
    busy.push_back({.pool = pg.pool,
                    .seed = pg.seed,
                    .state = std::string(pg.state),
                    .primary = pg.primary,
                    .acting = {pg.acting.begin(), pg.acting.end()}});
  }));
  return busy;
}

Result<Balancer> parse_balancer_turn(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("balancer status", json));
  const Json& active = member(parsed, "active");
  const Json& plans = member(parsed, "plans");
  constexpr std::string_view success = "Optimization plan created successfully";
  return Balancer{.active = active.is_boolean() && active.get<bool>(),
                  .last_start = text(parsed, "last_optimize_started"),
                  .has_plan = (plans.is_array() && !plans.empty()) ||
                              text(parsed, "optimize_result").starts_with(success)};
}

bool Disturbances::concerns(std::int64_t pool, std::uint32_t seed,
                            const std::vector<std::int32_t>& acting) const {
  if (pool == m_measured.pool && m_measured.pgs.contains(seed)) return true;
  if (m_measured.whole_pools.contains(pool)) return true;
  // A pinned OSD is disturbed by the PGs of other pools as well.
  const auto& chosen = m_measured.chosen();
  return std::any_of(acting.begin(), acting.end(),
                     [&](std::int32_t osd) { return chosen.contains(osd); });
}

void Disturbances::add(const std::vector<BusyPg>& pgs, Time at) {
  for (const BusyPg& pg : pgs) {
    const Work* const work = work_of(pg.state);
    if (work == nullptr || !concerns(pg.pool, pg.seed, pg.acting)) continue;
    const std::string name = pg_name(pg.pool, pg.seed);
    note({.harm = Harm::contaminated,
          .kind = std::string(work->kind),
          .what = pg.primary < 0 ? fmt::format("PG {} {}", name, work->what)
                                 : fmt::format("PG {} {} (osd.{})", name, work->what, pg.primary),
          .pg = name,
          .osd = pg.primary,
          .from = at});
  }
}

}  // namespace radosload::observe
