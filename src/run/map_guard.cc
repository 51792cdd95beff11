#include "run/map_guard.h"

#include <utility>

#include "placement/pg_map.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::run {

namespace {

std::string set_text(const placement::PgPlace& place) {
  return placement::acting_words({.primary = place.primary, .acting = place.acting});
}

}  // namespace

MapGuard::MapGuard(std::unique_ptr<AdminCommands> commands, GuardedPgs pgs,
                   std::shared_ptr<Homes> homes)
    : m_commands(std::move(commands)), m_pgs(std::move(pgs)), m_homes(std::move(homes)) {}

Result<placement::PgPlace> MapGuard::where(const std::string& object) {
  const nlohmann::json command = {{"prefix", "osd map"},
                                  {"pool", m_pgs.pool},
                                  {"object", object},
                                  {"nspace", m_pgs.nspace},
                                  {"format", "json"}};
  const auto said = m_commands->mon(command.dump());
  if (!said) return fail(said.error());
  return placement::parse_osd_map(*said);
}

void MapGuard::ask() {
  const std::lock_guard alone(m_asking);
  // Without an answer the map is as it was: whoever watches health says that nobody answers.
  const auto found = moves();
  if (!found) return;
  const std::lock_guard lock(m_mutex);
  m_unseen.insert(m_unseen.end(), found->begin(), found->end());
}

Result<std::vector<MapGuard::Move>> MapGuard::moves() {
  std::vector<Move> moves;
  const auto stat = m_commands->mon(R"({"prefix": "osd stat", "format": "json"})");
  if (!stat) return fail(stat.error());
  const auto epoch = placement::parse_epoch(*stat);
  if (!epoch) return fail(epoch.error());
  if (*epoch == m_epoch) return moves;
  std::size_t asked = 0;
  for (const auto& [pg, object] : m_pgs.object_in) {
    if (asked++ == most_pgs) break;
    auto now = where(object);
    if (!now) return fail(now.error());
    const auto known = m_known.try_emplace(pg, first_place(pg, *now)).first;
    if (known->second.same_set(*now)) continue;
    moves.push_back({.pg = pg, .before = std::exchange(known->second, *now), .now = *now});
  }
  m_epoch = *epoch;
  return moves;
}

// Of the acting set nothing was written down but who leads it.
placement::PgPlace MapGuard::first_place(std::uint32_t pg, const placement::PgPlace& now) const {
  const std::int32_t home = m_homes->osd_of(pg);
  if (home == now.primary) return now;
  return {.epoch = 0, .primary = home, .acting = {home}};
}

std::string MapGuard::text_of(const Move& move) const {
  return fmt::format("PG {}.{:x} moved from {} to {} (map {})", m_pgs.pool_id, move.pg,
                     set_text(move.before), set_text(move.now), move.now.epoch);
}

std::vector<std::string> MapGuard::look() {
  constexpr std::size_t most_texts = 4;
  std::vector<Move> moves;
  {
    const std::lock_guard lock(m_mutex);
    moves.swap(m_unseen);
  }
  std::vector<std::string> texts;
  for (const Move& move : moves) {
    m_homes->move(move.pg, move.now.primary);
    m_moved.try_emplace(move.pg, text_of(move));
    if (texts.size() < most_texts) texts.push_back(text_of(move));
  }
  if (moves.size() > most_texts) {
    texts.push_back(fmt::format("{} more moved", moves.size() - most_texts));
  }
  return texts;
}

std::set<std::uint32_t> MapGuard::moved() const {
  std::set<std::uint32_t> pgs;
  for (const auto& [pg, text] : m_moved) pgs.insert(pg);
  return pgs;
}

record::Grade MapGuard::grade() const {
  if (m_moved.empty()) return {};
  const std::string first = m_moved.begin()->second;
  if (m_pgs.pinned) {
    return {.value = record::GradeValue::void_run,
            .reasons = {fmt::format("{} of the PGs that the run was pinned to moved: {}",
                                    m_moved.size(), first)}};
  }
  return {.value = record::GradeValue::contaminated,
          .reasons = {fmt::format("{} of the {} PGs of the run moved: {}", m_moved.size(),
                                  m_pgs.object_in.size(), first)}};
}

}  // namespace radosload::run
