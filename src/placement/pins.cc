#include "placement/pins.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::placement {

namespace {

// A map that does not tell of all PGs, or of other ones, must not be searched for ever.
constexpr std::uint64_t tries_for_each = 1000;

std::string names_of(const std::vector<std::int32_t>& osds) {
  std::vector<std::string> names;
  names.reserve(osds.size());
  for (const std::int32_t osd : osds) names.push_back(fmt::format("osd.{}", osd));
  return fmt::format("{}", fmt::join(names, ", "));
}

Error impossible(const PinWish& wish, std::string reason, std::string hint) {
  return {.attempt = "pin objects to",
          .subject = fmt::format("{} in pool {}", names_of(wish.osds), wish.pool),
          .reason = std::move(reason),
          .hint = std::move(hint),
          .exit = Exit::refused};
}

std::vector<std::int32_t> primaries(const PgMap& map) {
  std::set<std::int32_t> osds;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map.at(i).primary >= 0) osds.insert(map.at(i).primary);
  }
  return {osds.begin(), osds.end()};
}

std::string short_list(const std::vector<std::int32_t>& osds) {
  constexpr std::size_t most = 12;
  if (osds.size() <= most) return names_of(osds);
  return fmt::format("{} and {} more", names_of({osds.begin(), osds.begin() + most}),
                     osds.size() - most);
}

// The acting sets that would come nearest, of an OSD as the primary.
std::string nearest_sets(const PgMap& map, const PinWish& wish) {
  std::set<std::vector<std::int32_t>> sets;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const Pg pg = map.at(i);
    if (pg.primary != wish.osds.front()) continue;
    std::vector<std::int32_t> set(pg.acting.begin(), pg.acting.end());
    std::erase(set, no_shard);
    std::sort(set.begin(), set.end());
    sets.insert(set);
  }
  std::vector<std::string> texts;
  constexpr std::size_t most = 4;
  for (const auto& set : sets) {
    if (texts.size() == most) break;
    texts.push_back(fmt::format("{}", fmt::join(set, ",")));
  }
  return fmt::format("{}", fmt::join(texts, " or "));
}

Status check_osds(const PgMap& map, const PinWish& wish) {
  const auto able = primaries(map);
  const OsdSet primary(able);
  std::vector<std::int32_t> unable;
  for (const std::int32_t osd : wish.osds) {
    if (!primary.has(osd)) unable.push_back(osd);
  }
  if (unable.empty()) return {};
  return fail(impossible(wish,
                         fmt::format("no placement group of the pool has {} as its primary",
                                     fmt::join(unable, " or ")),
                         fmt::format("its primaries are {}; 'radosload osds' lists all OSDs, and a "
                                     "scratch pool can be bound to any",
                                     short_list(able))));
}

// How many PGs will do for each OSD of the wish.
Status check_sets(const PgMap& map, const PinWish& wish) {
  const OsdSet wanted(wish.osds);
  std::map<std::int32_t, std::size_t> usable;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const Pg pg = map.at(i);
    if (serves(pg, wanted, wish.mode)) ++usable[pg.primary];
  }
  for (const std::int32_t osd : wish.osds) {
    if (usable[osd] > 0) continue;
    return fail(impossible(
        wish,
        fmt::format("no placement group with osd.{} as its primary lies wholly on these OSDs", osd),
        fmt::format("name all of {}, or use --pin primary, which isolates reads but not writes",
                    nearest_sets(map, {.pool = wish.pool,
                                       .osds = {osd},
                                       .mode = wish.mode,
                                       .each = 1,
                                       .candidates = 0}))));
  }
  return {};
}

// By a PG's seed: the index in the wish of the OSD that its objects are for; -1: none.
std::vector<std::int32_t> places_of_pgs(const PgMap& map, const PinWish& wish) {
  std::map<std::int32_t, std::int32_t> places;
  for (std::size_t i = 0; i < wish.osds.size(); ++i) {
    places[wish.osds[i]] = static_cast<std::int32_t>(i);
  }
  const OsdSet wanted(wish.osds);
  std::vector<std::int32_t> place_of;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const Pg pg = map.at(i);
    if (pg.seed >= place_of.size()) place_of.resize(pg.seed + 1, -1);
    if (serves(pg, wanted, wish.mode)) place_of[pg.seed] = places[pg.primary];
  }
  return place_of;
}

const Pinned& fewest_of(const std::vector<Pinned>& found) {
  return *std::min_element(found.begin(), found.end(), [](const Pinned& a, const Pinned& b) {
    return a.objects.size() < b.objects.size();
  });
}

Error too_few(const PinWish& wish, std::uint64_t candidates, const std::vector<Pinned>& found) {
  const Pinned& fewest = fewest_of(found);
  return impossible(
      wish,
      fmt::format("of {} objects, osd.{} serves {}, but each OSD needs {}", candidates, fewest.osd,
                  fewest.objects.size(), wish.each),
      fewest.objects.empty()
          ? "take a larger image, or leave this OSD out"
          : fmt::format("take a smaller --size: {} objects for each OSD", fewest.objects.size()));
}

void cut_to(std::vector<Pinned>& found, std::size_t each) {
  for (Pinned& one : found) {
    one.objects.resize(each);
    one.pgs.resize(each);
  }
}

}  // namespace

OsdSet::OsdSet(const std::vector<std::int32_t>& osds) {
  for (const std::int32_t osd : osds) {
    const auto id = static_cast<std::size_t>(osd);
    if (id >= m_has.size()) m_has.resize(id + 1);
    m_has[id] = true;
  }
}

bool serves(const Pg& pg, const OsdSet& osds, PinMode mode) {
  if (!osds.has(pg.primary)) return false;
  if (mode == PinMode::primary) return true;
  return std::all_of(pg.acting.begin(), pg.acting.end(),
                     [&](std::int32_t osd) { return osd == no_shard || osds.has(osd); });
}

Result<std::vector<Pinned>> pin_objects(const PgMap& map, const PinWish& wish,
                                        const std::function<std::uint32_t(std::uint64_t)>& pg_of) {
  RADOSLOAD_TRY(check_osds(map, wish));
  RADOSLOAD_TRY(check_sets(map, wish));
  const auto place_of = places_of_pgs(map, wish);
  std::vector<Pinned> found;
  for (const std::int32_t osd : wish.osds) found.push_back({.osd = osd, .objects = {}, .pgs = {}});
  const std::uint64_t candidates =
      wish.candidates > 0 ? wish.candidates : tries_for_each * wish.each * place_of.size();
  std::size_t missing = found.size();
  for (std::uint64_t object = 0; missing > 0; ++object) {
    if (object == candidates) {
      const std::size_t fewest = fewest_of(found).objects.size();
      if (!wish.fewer_will_do || fewest == 0) {
        return fail(too_few(wish, candidates, found));
      }
      cut_to(found, fewest);
      return found;
    }
    const std::uint32_t pg = pg_of(object);
    if (pg >= place_of.size() || place_of[pg] < 0) continue;
    Pinned& mine = found[static_cast<std::size_t>(place_of[pg])];
    if (mine.objects.size() == wish.each) continue;
    mine.objects.push_back(object);
    mine.pgs.push_back(pg);
    if (mine.objects.size() == wish.each) --missing;
  }
  return found;
}

}  // namespace radosload::placement
