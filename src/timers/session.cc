#include "timers/session.h"

#include <algorithm>
#include <utility>

#include "timers/ok_to_stop.h"

namespace radosload::timers {

namespace {

// Earlier restarts may have left PGs that cannot lose this OSD too.
Row restart_row(const World& world, const Wish& wish, std::int32_t osd) {
  if (const auto allowed = ok_to_stop(world.commands, osd, wish.offline_pools); !allowed) {
    return {.osd = osd, .began = world.wall(), .failure = one_line(allowed.error())};
  }
  return time_peering(world, osd,
                      {.restart = wish.restart, .limit = wish.limit, .note = wish.note});
}

Row row_of(const World& world, const Wish& wish, std::int32_t osd) {
  switch (wish.timer) {
    case Timer::scrub:
      return time_scrub(world, osd, {.deep = wish.deep, .limit = wish.limit});
    case Timer::peering:
      return restart_row(world, wish, osd);
    case Timer::compact:
      return time_compaction(world, osd, wish.limit, wish.pool);
    case Timer::bench:
      return time_bench(world, osd,
                        {.block = wish.block, .bytes = wish.bytes, .limit = wish.limit});
    case Timer::backfill:
      break;
  }
  return watch_backfill(
      world, {.limit = wish.limit, .convert = wish.convert, .convert_bytes = wish.convert_bytes});
}

Row started_row(const World& world, const Wish& wish, const Turn& turn) {
  Row row{.round = turn.round, .began = world.wall(), .failure = std::string(cut_off)};
  if (wish.timer != Timer::backfill) row.osd = turn.osd;
  return row;
}

}  // namespace

bool Session::complete() const {
  return !interrupted &&
         std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.failure.empty(); });
}

Session run_turns(const World& world, const Wish& wish, const std::vector<Turn>& turns,
                  const std::function<void(const Session&)>& on_change) {
  Session session;
  for (const Turn& turn : turns) {
    if (world.interrupted()) break;
    // What a reader finds when this process is killed in the middle of it.
    session.rows.push_back(started_row(world, wish, turn));
    on_change(session);
    Row row = row_of(world, wish, turn.osd);
    row.round = turn.round;
    session.rows.back() = std::move(row);
    on_change(session);
    if (wish.timer == Timer::peering && !session.rows.back().failure.empty()) break;
  }
  session.interrupted = world.interrupted();
  return session;
}

}  // namespace radosload::timers
