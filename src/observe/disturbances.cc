#include "observe/disturbances.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::observe {

namespace {

// Health checks that a reader of the figures should know of. A check that outlives its cause counts
// only when it grows: BLUESTORE_SLOW_OP_ALERT stays for 24 hours.
struct NotedCheck {
  std::string_view code;
  bool outlives_cause = false;
};
constexpr std::array<NotedCheck, 10> noted_checks = {{{"SLOW_OPS", true},
                                                      {"BLUESTORE_SLOW_OP_ALERT", true},
                                                      {"OSD_NEARFULL"},
                                                      {"POOL_NEARFULL"},
                                                      {"OSD_BACKFILLFULL"},
                                                      {"POOL_BACKFILLFULL"},
                                                      {"OSD_FULL"},
                                                      {"POOL_FULL"},
                                                      {"OSDMAP_FLAGS"},
                                                      {"OSD_FLAGS"}}};

const NotedCheck* noted_check(const HealthCheck& check) {
  const auto* const found =
      std::find_if(noted_checks.begin(), noted_checks.end(),
                   [&](const NotedCheck& known) { return known.code == check.code; });
  return found == noted_checks.end() || check.muted ? nullptr : found;
}

std::uint64_t count_of(const std::optional<ClusterStatus>& status, const std::string& code) {
  if (!status) return 0;
  for (const HealthCheck& check : status->checks) {
    if (check.code == code) return check.count;
  }
  return 0;
}

std::optional<placement::OsdIdentity> identity_of(std::int32_t osd, const placement::OsdMap& map) {
  const auto found = map.identities.find(osd);
  return found == map.identities.end() ? std::nullopt : std::optional(found->second);
}

// What happened to an OSD between two maps; empty: nothing.
std::string fate(const std::optional<placement::OsdIdentity>& before,
                 const std::optional<placement::OsdIdentity>& now) {
  if (before == now || !before) return {};
  if (!now) return "was removed";
  if (!now->up) return before->up ? "went down" : "";
  if (!before->up) return "returned";
  // The nonce is drawn by each process, so the same nonce is the same process.
  return before->nonce == now->nonce ? "was marked down and returned" : "was restarted";
}

// What happened to an MDS; empty: nothing.
std::string fate(const MdsRank& before, const std::vector<MdsRank>& ranks) {
  const auto now = std::find_if(ranks.begin(), ranks.end(), [&](const MdsRank& one) {
    return one.file_system == before.file_system && one.rank == before.rank;
  });
  if (now == ranks.end()) return fmt::format("mds.{} stopped serving its rank", before.name);
  if (now->gid != before.gid) {
    return now->name == before.name
               ? fmt::format("mds.{} was restarted", now->name)
               : fmt::format("mds.{} took over from mds.{}", now->name, before.name);
  }
  if (now->state == before.state || now->state == "up:active") return {};
  return fmt::format("mds.{} was {}", now->name, now->state);
}

std::vector<std::string> missing_from(const std::vector<std::string>& before,
                                      const std::vector<std::string>& now) {
  std::vector<std::string> missing;
  for (const std::string& name : before) {
    if (std::find(now.begin(), now.end(), name) == now.end()) missing.push_back("mon." + name);
  }
  return missing;
}

}  // namespace

void Disturbances::forget() {
  m_found.clear();
  m_taken = 0;
}

void Disturbances::note(Disturbance found) {
  const auto same = std::find_if(m_found.begin(), m_found.end(), [&](const Disturbance& known) {
    return known.kind == found.kind && known.pg == found.pg && known.osd == found.osd &&
           (known.harm == Harm::noted || known.what == found.what);
  });
  if (same == m_found.end()) {
    found.to = std::max(found.from, found.to);
    m_found.push_back(std::move(found));
  } else {
    same->to = std::max(found.from, found.to);
  }
}

std::vector<Disturbance> Disturbances::take_new() {
  const auto first = m_found.begin() + static_cast<std::ptrdiff_t>(m_taken);
  m_taken = m_found.size();
  return {first, m_found.end()};
}

std::map<std::int64_t, std::string> Disturbances::pools() const {
  std::map<std::int64_t, std::string> names;
  if (!m_map) return names;
  for (const placement::Pool& pool : m_map->pools) names[pool.id] = pool.name;
  return names;
}

void Disturbances::add(const ClusterStatus& status, Time at) {
  compare_mons(status, at);
  compare_checks(status, at);
  compare_mds(status, at);
  if (status.recovering_per_second > 0) {
    // Which PGs recover, and whether they matter, says the list of busy PGs.
    note({.kind = "elsewhere", .what = "some PGs of the cluster were recovering", .from = at});
  }
  m_status = status;
}

void Disturbances::compare_mons(const ClusterStatus& status, Time at) {
  if (!m_status) return;
  const auto lost = missing_from(m_status->quorum, status.quorum);
  if (!lost.empty()) {
    note({.harm = Harm::contaminated,
          .kind = "mon",
          .what = fmt::format("{} left the quorum", fmt::join(lost, ", ")),
          .from = at});
  } else if (status.election_epoch != m_status->election_epoch) {
    note({.harm = Harm::contaminated,
          .kind = "mon",
          .what = "the mons held an election",
          .from = at});
  }
}

void Disturbances::compare_mds(const ClusterStatus& status, Time at) {
  if (!m_status) return;
  for (const MdsRank& before : m_status->mds_ranks) {
    if (before.file_system != m_measured.file_system) continue;
    const std::string happened = fate(before, status.mds_ranks);
    if (happened.empty()) continue;
    note({.harm = Harm::contaminated, .kind = "mds", .what = happened, .from = at});
  }
}

void Disturbances::compare_checks(const ClusterStatus& status, Time at) {
  for (const HealthCheck& check : status.checks) {
    const NotedCheck* const known = noted_check(check);
    if (known == nullptr) continue;
    // Without an earlier answer it is unknown whether it grew.
    if (known->outlives_cause && (!m_status || check.count <= count_of(m_status, check.code))) {
      continue;
    }
    note(
        {.kind = check.code, .what = fmt::format("{}: {}", check.code, check.summary), .from = at});
  }
}

void Disturbances::add(const placement::OsdMap& map, Time at) {
  if (m_map) {
    for (const std::int32_t osd : m_measured.osds) compare_osd(osd, map, at);
  }
  if (m_measured.counters_only) {
    compare_all_pools(map, at);
  } else {
    compare_pool(m_measured.pool, map, at);
    for (const std::int64_t pool : m_measured.whole_pools) {
      if (pool != m_measured.pool) compare_pool(pool, map, at);
    }
  }
  m_map = map;
}

void Disturbances::compare_osd(std::int32_t osd, const placement::OsdMap& map, Time at) {
  const std::string happened = fate(identity_of(osd, *m_map), identity_of(osd, map));
  if (happened.empty()) return;
  // An OSD that was restarted has no figures in the table of counters.
  const bool plain = m_measured.counters_only;
  const bool target = m_measured.pinned.contains(osd);
  note({.harm = target ? Harm::void_run : Harm::contaminated,
        .kind = "restart",
        .what = target || plain
                    ? fmt::format("osd.{} {}", osd, happened)
                    : fmt::format("osd.{} {}: its figures in this run are void", osd, happened),
        .osd = osd,
        .from = at});
}

void Disturbances::compare_pool(std::int64_t pool, const placement::OsdMap& map, Time at) {
  const placement::Pool* const now = map.pool(pool);
  const placement::Pool* const before = m_map ? m_map->pool(pool) : nullptr;
  if (now == nullptr) {
    if (before == nullptr) return;
    note({.harm = Harm::void_run,
          .kind = "pool",
          .what = fmt::format("pool {} was deleted", before->name),
          .from = at});
    return;
  }
  compare_pg_num(*now, at);
  if (before != nullptr) compare_settings(*before, *now, at);
}

void Disturbances::compare_pg_num(const placement::Pool& now, Time at) {
  const placement::Pool* const before = m_map ? m_map->pool(now.id) : nullptr;
  if (now.pg_num != now.pg_num_target) {
    note({.harm = Harm::contaminated,
          .kind = "pg_num",
          .what = fmt::format("pool {} was changing its number of PGs", now.name),
          .from = at});
  } else if (before != nullptr && before->pg_num != now.pg_num) {
    note({.harm = Harm::contaminated,
          .kind = "pg_num",
          .what = fmt::format("the PGs of pool {} became {}, from {}", now.name, now.pg_num,
                              before->pg_num),
          .from = at});
  }
}

void Disturbances::compare_all_pools(const placement::OsdMap& map, Time at) {
  for (const placement::Pool& pool : map.pools) compare_pg_num(pool, at);
  if (!m_map) return;
  for (const placement::Pool& before : m_map->pools) {
    if (const placement::Pool* const now = map.pool(before.id); now != nullptr) {
      compare_settings(before, *now, at);
      continue;
    }
    // Its OSDs now remove its objects.
    note({.harm = Harm::contaminated,
          .kind = "pool",
          .what = fmt::format("pool {} was deleted", before.name),
          .from = at});
  }
}

void Disturbances::add(const Balancer& balancer, Time at) {
  const bool tried = m_balancer && balancer.last_start != m_balancer->last_start;
  if (balancer.active && balancer.has_plan && tried) {
    note({.harm = Harm::contaminated,
          .kind = "balancer",
          .what = "the balancer moved PGs",
          .from = at});
  }
  m_balancer = balancer;
}

}  // namespace radosload::observe
