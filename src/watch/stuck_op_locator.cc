#include "watch/stuck_op_locator.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace radosload::watch {

namespace {

struct Place {
  std::int32_t osd = -1;
  std::uint64_t count = 0;
  Time oldest{0};
  std::set<std::uint32_t> pgs;
};

std::string pgs_text(std::int64_t pool, const std::set<std::uint32_t>& pgs) {
  std::string text = fmt::format("PG {}.{:x}", pool, *pgs.begin());
  if (pgs.size() > 1) text += fmt::format(" and {} more", pgs.size() - 1);
  return text;
}

std::string line_of(const Place& place, std::int64_t pool) {
  const std::string who = place.osd < 0 ? "no OSD" : fmt::format("osd.{}", place.osd);
  return fmt::format("{}: {} ({})", who, waiting_text(place.count, place.oldest),
                     pgs_text(pool, place.pgs));
}

}  // namespace

std::vector<std::string> waiting_somewhere(const engine::Stuck& stuck) {
  return {waiting_text(stuck.count, stuck.oldest)};
}

std::string waiting_text(std::uint64_t count, Time oldest) {
  return fmt::format("{} operation{} for up to {}", count, count == 1 ? "" : "s",
                     human_text(std::chrono::floor<std::chrono::seconds>(oldest)));
}

StuckOpLocator::StuckOpLocator(const prepare::ClusterSession& session, prepare::ObjectNaming names)
    : m_place(session), m_names(std::move(names)) {}

std::optional<placement::Pg> StuckOpLocator::pg_of(std::uint64_t object) const {
  const auto seed = m_names.pg_of ? m_names.pg_of(m_names.name_of(object)) : std::nullopt;
  return seed ? m_place.space.pgs.find(*seed) : std::nullopt;
}

std::vector<std::string> StuckOpLocator::operator()(const engine::Stuck& stuck) const {
  std::map<std::int32_t, Place> places;
  for (const auto& waiting : stuck.waiting) {
    const auto pg = m_names.name_of ? pg_of(waiting.object) : std::nullopt;
    if (!pg) return waiting_somewhere(stuck);
    Place& place = places[pg->primary];
    place.osd = pg->primary;
    ++place.count;
    place.oldest = std::max(place.oldest, waiting.age);
    place.pgs.insert(pg->seed);
  }
  std::vector<Place> sorted;
  for (auto& [osd, place] : places) sorted.push_back(std::move(place));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Place& a, const Place& b) { return a.count > b.count; });
  std::vector<std::string> lines;
  for (const Place& place : sorted) lines.push_back(line_of(place, m_place.space.pool.id));
  return lines;
}

}  // namespace radosload::watch
