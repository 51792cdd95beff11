// Follows the cluster's map while a run goes on: whether the PGs of the run's objects stay where
// they are. Operations carry the OSD that was to serve them when they were sent, so those sent
// before and after a move are told apart; the grade says that there was one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/homes.h"

#include "placement/pg_place.h"
#include "record/run_record.h"

namespace radosload::run {

// What the guard asks after: an object in each PG, since the mons are asked by name.
struct GuardedPgs {
  std::string pool;
  std::int64_t pool_id = -1;
  std::string nspace;
  std::map<std::uint32_t, std::string> object_in;
  bool pinned = false;
};

class MapGuard {
 public:
  // Of more PGs only so many are asked after: a question for each, when the map has changed.
  static constexpr std::size_t most_pgs = 1024;

  MapGuard(std::unique_ptr<AdminCommands> commands, GuardedPgs pgs, std::shared_ptr<Homes> homes);

  // Asks the mons, which may take long; from one thread at a time. The first time it learns where
  // the PGs are, as the mons have it: the mgr, which told before, lags.
  void ask();
  // What has changed since the last call, in words; the homes have followed. Never waits; together
  // with grade() from one thread, which need not be that of ask().
  std::vector<std::string> look();
  // What the moves, if any, mean for the figures.
  record::Grade grade() const;
  // Those that did not stay.
  std::set<std::uint32_t> moved() const;

 private:
  struct Move {
    std::uint32_t pg = 0;
    placement::PgPlace before;
    placement::PgPlace now;
  };

  Result<std::vector<Move>> moves();
  Result<placement::PgPlace> where(const std::string& object);
  std::string text_of(const Move& move) const;

  std::unique_ptr<AdminCommands> m_commands;
  GuardedPgs m_pgs;
  std::shared_ptr<Homes> m_homes;
  // The asking thread's alone.
  std::uint64_t m_epoch = 0;
  std::map<std::uint32_t, placement::PgPlace> m_known;
  std::mutex m_mutex;
  std::vector<Move> m_unseen;  // guarded by it: found and not looked at yet
  // The looking thread's.
  std::map<std::uint32_t, std::string> m_moved;
};

}  // namespace radosload::run
