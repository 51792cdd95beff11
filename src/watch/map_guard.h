// Follows the osdmap during a run: do the PGs of the run's objects stay on their OSDs? Operations
// carry the OSD that was to serve them when they were sent, so operations before and after a move
// are counted separately; the grade says that PGs moved.
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

// One object in each PG that is watched: the mons are asked by object name.
struct GuardedPgs {
  std::string pool;
  std::int64_t pool_id = -1;
  std::string nspace;
  std::map<std::uint32_t, std::string> object_in;
  bool pinned = false;
};

class MapGuard {
 public:
  // After a change of the map each PG takes one question. A turn asks this many, and later turns
  // ask the rest, to limit the load on the mons.
  static constexpr std::size_t turn_size = 1024;
  // At the end of a run so many turns are taken at once.
  static constexpr int last_turns = 8;

  MapGuard(std::shared_ptr<AdminCommands> commands, GuardedPgs pgs,
           std::shared_ptr<ObjectPlacement> locations);

  // Asks the mons, which may take long. Any thread. The first time it learns where the PGs are, as
  // the mons have it: where the mgr, which told before, lags, that is a move as well.
  void ask();
  // What is left of all PGs, at the end of a run.
  void ask_rest();
  // How many PGs were not checked since the map last changed, as text; empty when all were. Waits
  // for a turn in progress.
  std::string unwatched();
  // What has changed since the last call, in words; the locations have followed. Never waits;
  // together with grade() from one thread, which need not be that of ask().
  std::vector<std::string> poll();
  // What the moves, if any, mean for the figures.
  record::Grade grade() const;
  // The PGs that have moved, by their seeds; from the thread of poll().
  std::set<std::uint32_t> moved() const;

 private:
  struct Move {
    std::uint32_t pg = 0;
    placement::PgPlace before;
    placement::PgPlace now;
  };

  // Whether PGs are left to ask for; false also without an answer.
  bool take_turn();
  // Asks for the PGs of one turn. Unanswered ones are asked again in the next turn.
  bool ask_some(std::vector<Move>& moves);
  Result<placement::PgPlace> where(const std::string& object);
  placement::PgPlace first_place(std::uint32_t pg, const placement::PgPlace& now) const;
  std::string text_of(const Move& move) const;

  std::shared_ptr<AdminCommands> m_commands;
  GuardedPgs m_pgs;
  std::shared_ptr<ObjectPlacement> m_locations;
  std::mutex m_asking;        // guards the five below
  std::uint64_t m_epoch = 0;  // of the map in which all PGs were last asked after
  std::uint64_t m_newer = 0;  // of the one in which they are being asked after
  bool m_under_way = false;
  std::uint32_t m_next_pg = 0;
  std::map<std::uint32_t, placement::PgPlace> m_known;
  std::mutex m_mutex;
  std::vector<Move> m_unseen;  // guarded by it: found, not yet returned by poll()
  // The looking thread's.
  std::map<std::uint32_t, std::string> m_moved;
};

}  // namespace radosload::watch
