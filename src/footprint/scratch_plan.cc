// Whether a scratch pool can be made: everything that can be known before the first change.

#include <algorithm>
#include <array>
#include <cerrno>

#include "footprint/scratch.h"
#include "footprint/scratch_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::footprint {

namespace {

using placement::Osd;
using placement::OsdInventory;

// All obstacles at once, with the command that removes each: a user who must ask colleagues for
// settings asks only once.
class Obstacles {
 public:
  void add(std::string what, std::string remedy = {}) {
    m_what.push_back(std::move(what));
    if (!remedy.empty()) m_remedies.push_back(std::move(remedy));
  }
  Status verdict(const std::string& name) const {
    if (m_what.empty()) return {};
    return fail({.attempt = "make the scratch pool",
                 .subject = name,
                 .reason = fmt::format("{}", fmt::join(m_what, "; ")),
                 .hint = fmt::format("{}", fmt::join(m_remedies, "\n  ")),
                 .exit = Exit::refused});
  }

 private:
  std::vector<std::string> m_what;
  std::vector<std::string> m_remedies;
};

// Upmaps came with this release; clients older than that would look for the PGs elsewhere.
bool upmaps_allowed(const std::string& oldest_client) {
  constexpr std::array<std::string_view, 11> too_old = {
      "argonaut", "bobtail", "cuttlefish", "dumpling", "emperor", "firefly",
      "giant",    "hammer",  "infernalis", "jewel",    "kraken"};
  return !oldest_client.empty() &&
         std::find(too_old.begin(), too_old.end(), oldest_client) == too_old.end();
}

void check_settings(bool size_one, bool deletion, Obstacles& obstacles) {
  if (!size_one) {
    obstacles.add("the mons do not allow pools of size 1 (mon_allow_pool_size_one)",
                  "to allow them: ceph config set global mon_allow_pool_size_one true");
  }
  if (!deletion) {
    obstacles.add(
        "the mons do not allow pools to be deleted, so radosload could not remove it again "
        "(mon_allow_pool_delete)",
        "to allow it: ceph config set mon mon_allow_pool_delete true "
        "(and false when the pool has been removed)");
  }
}

void check_osds(const OsdInventory& inventory, const std::vector<std::int32_t>& osds,
                Obstacles& obstacles) {
  for (const std::int32_t id : osds) {
    const Osd* const osd = inventory.find(id);
    if (osd == nullptr || (osd->up && osd->in)) continue;
    const bool down = !osd->up;
    obstacles.add(fmt::format("osd.{} is {}", id, down ? "down" : "out"),
                  down ? "'ceph osd tree' shows what is down"
                       : fmt::format("to take it in: ceph osd in {}", id));
  }
}

void check_name(const ScratchView& view, const std::string& name, Obstacles& obstacles) {
  if (view.map.pool(name) == nullptr) return;
  obstacles.add("a pool of that name exists",
                fmt::format("'radosload scratch destroy {} --yes' removes it, 'scratch create "
                            "NAME' makes another",
                            name));
}

struct Settings {
  bool size_one = false;
  bool deletion = false;
  std::uint32_t most_pgs = 0;
};

Result<Settings> fetch_settings(AdminCommands& commands) {
  RADOSLOAD_ASSIGN(const auto size_one, mon_allows(commands, "mon_allow_pool_size_one"));
  RADOSLOAD_ASSIGN(const auto deletion, mon_allows(commands, "mon_allow_pool_delete"));
  // Without it the mons still refuse what is too much.
  const auto most = mon_setting(commands, "mon_max_pg_per_osd");
  const auto count = most ? parse_count(*most) : fail(most.error());
  return Settings{.size_one = size_one,
                  .deletion = deletion,
                  .most_pgs = count ? static_cast<std::uint32_t>(*count) : 0};
}

}  // namespace

Result<ScratchPlan> plan_scratch(AdminCommands& commands, const OsdInventory& inventory,
                                 const ScratchWish& wish) {
  RADOSLOAD_ASSIGN(const auto settings, fetch_settings(commands));
  RADOSLOAD_ASSIGN(const auto view, fetch_scratch(commands));
  auto pg_num = placement::pg_num_for(
      inventory, {.osds = wish.osds, .named = wish.pg_num, .most = settings.most_pgs});
  if (!pg_num && pg_num.error().exit == Exit::usage) return fail(pg_num.error());

  Obstacles obstacles;
  check_settings(settings.size_one, settings.deletion, obstacles);
  if (!upmaps_allowed(view.map.oldest_client)) {
    obstacles.add(fmt::format("binding PGs to OSDs needs require_min_compat_client luminous or "
                              "newer; here it is '{}'",
                              view.map.oldest_client.empty() ? "any" : view.map.oldest_client),
                  "to require it: ceph osd set-require-min-compat-client luminous");
  }
  check_osds(inventory, wish.osds, obstacles);
  ScratchPlan plan{.name = wish.name, .osds = wish.osds};
  check_name(view, wish.name, obstacles);
  if (!pg_num) obstacles.add(pg_num.error().reason, pg_num.error().hint);
  auto take = placement::take_for(inventory, wish.osds, view.takes_in_use());
  if (!take) obstacles.add(take.error().reason, take.error().hint);
  if (const Status verdict = obstacles.verdict(wish.name); !verdict) return fail(verdict.error());
  plan.take = *std::move(take);
  plan.others = placement::has_others(inventory, plan.take, wish.osds);
  plan.locations = placement::shared_out(*pg_num, wish.osds);
  return plan;
}

}  // namespace radosload::footprint
