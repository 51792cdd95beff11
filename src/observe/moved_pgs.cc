// PGs whose place changed for a moment. A PG that is mapped to other OSDs and back has peered
// twice, also where the OSDs that served it stayed the same, and also within one look: the maps
// between two looks tell.

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "observe/disturbances.h"
#include "placement/pgs_brief.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

constexpr std::string_view move_kind = "move";

using placement::OsdMap;
using Entries = std::map<std::string, std::string>;

template <typename Key, typename Value>
std::optional<Value> value_of(const std::map<Key, Value>& values, const Key& key) {
  const auto found = values.find(key);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

// The keys whose value changed from one map to the next.
std::set<std::string> changed(const Entries& before, const Entries& after) {
  std::set<std::string> keys;
  for (const Entries* const listed : {&before, &after}) {
    for (const auto& [key, value] : *listed) {
      if (value_of(before, key) != value_of(after, key)) keys.insert(key);
    }
  }
  return keys;
}

// The keys whose value at the end is that of the begin, and was another one in between.
template <typename Key, typename Value>
std::set<Key> undone(const std::map<Key, Value>& first, const std::vector<OsdMap>& between,
                     const std::map<Key, Value>& last, std::map<Key, Value> OsdMap::*values) {
  std::set<Key> keys;
  const auto look = [&](const std::map<Key, Value>& listed) {
    for (const auto& [key, value] : listed) {
      const auto before = value_of(first, key);
      if (before != value_of(last, key)) continue;
      const bool other = std::any_of(between.begin(), between.end(), [&](const OsdMap& map) {
        return value_of(map.*values, key) != before;
      });
      if (other) keys.insert(key);
    }
  };
  look(first);
  for (const OsdMap& map : between) look(map.*values);
  return keys;
}

int crush_changes(const OsdMap& first, const std::vector<OsdMap>& between, const OsdMap& last) {
  int changes = 0;
  std::uint64_t version = first.crush_version;
  const auto count = [&](const OsdMap& map) {
    if (std::exchange(version, map.crush_version) != map.crush_version) ++changes;
  };
  for (const OsdMap& map : between) count(map);
  count(last);
  return changes;
}

}  // namespace

bool Disturbances::concerns_pool(std::int64_t pool) const {
  return pool == m_measured.pool || m_measured.whole_pools.contains(pool) ||
         m_measured.counters_only;
}

void Disturbances::compare_places(const OsdMap& before, const OsdMap& now, Time at) {
  std::set<std::string> mapped = changed(before.upmaps, now.upmaps);
  mapped.merge(changed(before.temps, now.temps));
  for (const std::string& pgid : mapped) {
    const auto pg = placement::parse_pg_id(pgid);
    if (!pg) continue;
    const bool ours = m_measured.pgs.empty() || m_measured.pgs.contains(pg->seed);
    if (!concerns_pool(pg->pool) || !ours) continue;
    note({.harm = Harm::contaminated,
          .kind = std::string(move_kind),
          .what = fmt::format("PG {} was mapped to other OSDs", pgid),
          .pg = pgid,
          .from = at});
  }
}

void Disturbances::forget_moves(const std::set<std::uint32_t>& pgs) {
  const auto known = [&](const Disturbance& one) {
    if (one.kind != move_kind) return false;
    const auto pg = placement::parse_pg_id(one.pg);
    return pg && pg->pool == m_measured.pool && pgs.contains(pg->seed);
  };
  const auto taken = m_found.begin() + static_cast<std::ptrdiff_t>(m_taken);
  m_taken -= static_cast<std::size_t>(std::count_if(m_found.begin(), taken, known));
  std::erase_if(m_found, known);
}

void Disturbances::add_between(const std::vector<OsdMap>& maps, const OsdMap& last, Time at) {
  if (!m_map) return;
  for (const std::int32_t osd : undone(m_map->weights, maps, last.weights, &OsdMap::weights)) {
    if (!m_measured.osds.contains(osd)) continue;
    note({.harm = Harm::contaminated,
          .kind = std::string(move_kind),
          .what = fmt::format("osd.{} had another weight or affinity for a moment", osd),
          .osd = osd,
          .from = at});
  }
  if (crush_changes(*m_map, maps, last) > 1) {
    note({.harm = Harm::contaminated,
          .kind = std::string(move_kind),
          .what = "the CRUSH map was changed more than once: PGs may have moved and returned",
          .from = at});
  }
  const OsdMap* before = &*m_map;
  const auto step = [&](const OsdMap& now) {
    compare_places(*before, now, at);
    before = &now;
  };
  for (const OsdMap& map : maps) {
    // What was set and unset.
    for (const placement::Pool& pool : before->pools) {
      const placement::Pool* const now = map.pool(pool.id);
      if (now != nullptr && concerns_pool(pool.id)) compare_settings(pool, *now, at);
    }
    step(map);
  }
  step(last);
}

}  // namespace radosload::observe
