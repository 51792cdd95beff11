// Follows the osdmap during a run, to notice when PGs of the run's objects move to other OSDs. Each
// operation carries its OSD at the time of sending, so operations before and after a move are
// counted separately; the grade reports that PGs moved.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/object_placement.h"

#include "placement/pg_place.h"
#include "record/run_record.h"

namespace radosload::watch {

// One object in each watched PG, because the mons are asked by object name.
struct GuardedPgs {
  std::string pool;
  std::int64_t pool_id = -1;
  std::string nspace;
  std::map<std::uint32_t, std::string> object_in;
  bool pinned = false;
};

class MapGuard {
 public:
  // After a change of the map, each PG takes one request. A turn sends at most this many, and later
  // turns the rest, to limit the load on the mons.
  static constexpr std::size_t turn_size = 1024;
  // At the end of a run this many turns are taken at once.
  static constexpr int last_turns = 8;

  MapGuard(std::shared_ptr<AdminCommands> commands, GuardedPgs pgs,
           std::shared_ptr<ObjectPlacement> locations);

  // Asks the mons, which may take long. Any thread. The first call reads the PGs' places from the
  // mons; if the mgr, which gave them before, was out of date, the difference counts as a move.
  void ask();
  // Asks for all remaining PGs, at the end of a run.
  void ask_rest();
  // As text, which PGs were not checked since the map last changed, or that the last question had
  // no answer; empty when all were checked. Waits for a turn that is under way.
  std::string unwatched();
  // The moves since the last call, as text; the locations have been updated. Never waits. Call it
  // and grade() from one thread, which may be another one than that of ask().
  std::vector<std::string> poll();
  // How the moves affect the figures.
  record::Grade grade() const;
  // The seeds of the PGs that have moved; from the thread of poll().
  std::set<std::uint32_t> moved() const;

 private:
  struct Move {
    std::uint32_t pg = 0;
    placement::PgPlace before;
    placement::PgPlace now;
  };

  // Whether PGs remain to be checked; also false when there was no answer.
  bool take_turn();
  // Asks for the PGs of one turn. PGs without an answer are part of the next turn too.
  bool ask_some(std::vector<Move>& moves);
  Result<placement::PgPlace> where(const std::string& object);
  placement::PgPlace first_place(std::uint32_t pg, const placement::PgPlace& now) const;
  std::string text_of(const Move& move) const;

  std::shared_ptr<AdminCommands> m_commands;
  GuardedPgs m_pgs;
  std::shared_ptr<ObjectPlacement> m_locations;
  std::mutex m_asking;        // guards the next six members
  std::uint64_t m_epoch = 0;  // of the map for which all PGs were last checked
  std::uint64_t m_newer = 0;  // of the map for which PGs are checked now
  bool m_under_way = false;
  bool m_answered = true;  // by the mons, when they were last asked
  std::uint32_t m_next_pg = 0;
  std::map<std::uint32_t, placement::PgPlace> m_known;
  std::mutex m_mutex;
  std::vector<Move> m_unseen;  // guarded by it: found, not yet returned by poll()
  // Used only by the thread of poll().
  std::map<std::uint32_t, std::string> m_moved;
};

}  // namespace radosload::watch
