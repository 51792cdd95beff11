#include "watch/map_guard.h"

#include <iterator>
#include <utility>

#include "base/log.h"
#include "placement/pg_map.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::watch {

namespace {

std::string set_text(const placement::PgPlace& place) {
  return placement::acting_words({.primary = place.primary, .acting = place.acting});
}

}  // namespace

MapGuard::MapGuard(std::shared_ptr<AdminCommands> commands, GuardedPgs pgs,
                   std::shared_ptr<ObjectPlacement> locations)
    : m_commands(std::move(commands)), m_pgs(std::move(pgs)), m_locations(std::move(locations)) {}

Result<placement::PgPlace> MapGuard::where(const std::string& object) {
  const nlohmann::json command = {{"prefix", "osd map"},
                                  {"pool", m_pgs.pool},
                                  {"object", object},
                                  {"nspace", m_pgs.nspace},
                                  {"format", "json"}};
  RADOSLOAD_ASSIGN(const auto said, m_commands->mon(command.dump()));
  return placement::parse_osd_map(said);
}

void MapGuard::ask() {
  const std::lock_guard alone(m_asking);
  take_turn();
}

void MapGuard::ask_rest() {
  const std::lock_guard alone(m_asking);
  for (int i = 0; i < last_turns && take_turn(); ++i) continue;
}

bool MapGuard::take_turn() {
  // Without an answer the known map stays valid; the health guard reports meanwhile that the mons
  // do not answer.
  m_answered = false;
  const auto stat = m_commands->mon(R"({"prefix": "osd stat", "format": "json"})");
  if (!stat) return false;
  const auto epoch = placement::parse_epoch(*stat);
  if (!epoch) return false;
  m_answered = true;
  if (!m_under_way) {
    if (*epoch == m_epoch) return false;
    m_under_way = true;
    m_newer = *epoch;
    m_next_pg = 0;
  }
  std::vector<Move> moves;
  const bool more = ask_some(moves);
  const std::lock_guard lock(m_mutex);
  m_unseen.insert(m_unseen.end(), moves.begin(), moves.end());
  return more;
}

bool MapGuard::ask_some(std::vector<Move>& moves) {
  std::size_t asked = 0;
  for (auto pg = m_pgs.object_in.lower_bound(m_next_pg); pg != m_pgs.object_in.end(); ++pg) {
    m_next_pg = pg->first;
    if (asked++ == turn_size) return true;
    auto now = where(pg->second);
    if (!now) return false;
    const auto known = m_known.try_emplace(pg->first, first_place(pg->first, *now)).first;
    if (known->second.same_set(*now)) continue;
    moves.push_back({.pg = pg->first, .before = std::exchange(known->second, *now), .now = *now});
    base::log_info("{}", text_of(moves.back()));
  }
  m_under_way = false;
  m_epoch = m_newer;
  return false;
}

std::string MapGuard::unwatched() {
  const std::lock_guard alone(m_asking);
  if (!m_under_way) {
    if (m_answered) return {};
    return fmt::format(
        "the mons did not answer at the end: whether PGs moved after osdmap {} is unknown",
        m_epoch);
  }
  const auto left = std::distance(m_pgs.object_in.lower_bound(m_next_pg), m_pgs.object_in.end());
  return fmt::format(
      "{} of the {} PGs of the run were not checked after osdmap {}: whether they moved is unknown",
      left, m_pgs.object_in.size(), m_newer);
}

// Only the primary of the acting set was recorded at the start, so only that can be compared.
placement::PgPlace MapGuard::first_place(std::uint32_t pg, const placement::PgPlace& now) const {
  const std::int32_t home = m_locations->osd_of(pg);
  if (home == now.primary) return now;
  return {.epoch = 0, .primary = home, .acting = {home}};
}

std::string MapGuard::text_of(const Move& move) const {
  return fmt::format("PG {}.{:x} moved from {} to {} (map {})", m_pgs.pool_id, move.pg,
                     set_text(move.before), set_text(move.now), move.now.epoch);
}

std::vector<std::string> MapGuard::poll() {
  constexpr std::size_t most_texts = 4;
  std::vector<Move> moves;
  {
    const std::lock_guard lock(m_mutex);
    moves.swap(m_unseen);
  }
  std::vector<std::string> texts;
  for (const Move& move : moves) {
    m_locations->move(move.pg, move.now.primary);
    m_moved.try_emplace(move.pg, text_of(move));
    if (texts.size() < most_texts) texts.push_back(text_of(move));
  }
  if (moves.size() > most_texts) {
    texts.push_back(fmt::format("{} more PGs moved", moves.size() - most_texts));
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
            .reasons = {fmt::format("{} of the PGs that the run is pinned to moved: {}",
                                    m_moved.size(), first)}};
  }
  return {.value = record::GradeValue::contaminated,
          .reasons = {fmt::format("{} of the {} PGs of the run moved: {}", m_moved.size(),
                                  m_pgs.object_in.size(), first)}};
}

}  // namespace radosload::watch
