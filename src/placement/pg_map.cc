#include "placement/pg_map.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "placement/pgs_brief.h"

#include <fmt/format.h>

namespace radosload::placement {

Result<PgMap> PgMap::parse_pgs_brief(const std::string& json, std::int64_t pool) {
  PgMap map;
  std::optional<std::uint32_t> beyond;
  const auto take = [&](const BriefPg& pg) {
    if (pg.pool != pool) return;
    if (pg.seed >= most_pgs_of_pool) {
      beyond = pg.seed;
      return;
    }
    const auto has = [&](std::string_view word) {
      return pg.state.find(word) != std::string_view::npos;
    };
    map.m_entries.push_back({.seed = pg.seed,
                             .primary = pg.primary,
                             .first = static_cast<std::uint32_t>(map.m_acting.size()),
                             .count = static_cast<std::uint16_t>(pg.acting.size()),
                             // A stale one has had no primary since it was last active.
                             .active = has("active") && !has("stale"),
                             .clean = has("clean")});
    map.m_acting.insert(map.m_acting.end(), pg.acting.begin(), pg.acting.end());
  };
  RADOSLOAD_TRY(read_pgs_brief(json, take));
  if (beyond) {
    return fail({.attempt = "read which OSDs hold the PGs of a pool",
                 .reason = fmt::format("the mgr lists PG {}.{:x}, but a pool has at most {} PGs",
                                       pool, *beyond, most_pgs_of_pool),
                 .hint = "compare 'ceph pg dump pgs_brief' with pg_num in 'ceph osd pool ls "
                         "detail', and restart the active mgr when they differ"});
  }
  std::sort(map.m_entries.begin(), map.m_entries.end(),
            [](const Entry& a, const Entry& b) { return a.seed < b.seed; });
  return map;
}

Pg PgMap::at(std::size_t index) const {
  const Entry& entry = m_entries[index];
  return {.seed = entry.seed,
          .primary = entry.primary,
          .active = entry.active,
          .clean = entry.clean,
          .acting = std::span(m_acting).subspan(entry.first, entry.count)};
}

std::optional<Pg> PgMap::find(std::uint32_t seed) const {
  const auto found = std::lower_bound(
      m_entries.begin(), m_entries.end(), seed,
      [](const Entry& entry, std::uint32_t wanted) { return entry.seed < wanted; });
  if (found == m_entries.end() || found->seed != seed) return {};
  return at(static_cast<std::size_t>(found - m_entries.begin()));
}

std::string acting_text(const Pg& pg) {
  std::string text;
  for (const std::int32_t osd : pg.acting) {
    if (!text.empty()) text += ',';
    text += osd == no_shard ? "-" : std::to_string(osd);
  }
  return text;
}

std::string acting_words(const Pg& pg) {
  return pg.acting.empty() ? "no OSD" : acting_text(pg);
}

double pg_share(std::uint32_t seed, std::uint32_t pg_num) {
  const std::uint32_t slots = std::bit_ceil(pg_num);
  // The upper half of the slots is folded onto the lower where it lies beyond pg_num.
  const bool folded = seed < slots / 2 && seed + slots / 2 >= pg_num;
  return (folded ? 2.0 : 1.0) / slots;
}

}  // namespace radosload::placement
