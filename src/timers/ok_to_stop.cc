#include "timers/ok_to_stop.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <set>
#include <utility>

#include "observe/fetch_osd_map.h"
#include "observe/osd_timing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::timers {

namespace {

std::int64_t pool_id(const observe::PgTiming& pg) {
  std::int64_t id = -1;  // "7.1f" is in pool 7
  std::from_chars(pg.pgid.data(), pg.pgid.data() + pg.pgid.size(), id);
  return id;
}

// The names of the pools with PGs that have no OSD to spare.
Result<std::set<std::string>> pools_that_need(AdminCommands& commands, std::int32_t osd) {
  RADOSLOAD_ASSIGN(const auto pgs, observe::fetch_pgs_on(commands, osd));
  RADOSLOAD_ASSIGN(const auto map, observe::fetch_osd_map(commands));
  std::set<std::string> pools;
  for (const observe::PgTiming& pg : pgs) {
    const std::int64_t id = pool_id(pg);
    const placement::Pool* const pool = map.pool(id);
    // A pool that the map does not have is a newer one, of which nothing is known.
    if (pool == nullptr) {
      pools.insert(std::to_string(id));
    } else if (pg.acting <= pool->min_size) {
      pools.insert(pool->name);
    }
  }
  return pools;
}

}  // namespace

Status ok_to_stop(AdminCommands& commands, std::int32_t osd,
                  const std::vector<std::string>& may_be_offline) {
  const auto said = commands.mgr(
      fmt::format(R"({{"prefix": "osd ok-to-stop", "ids": ["{}"], "format": "json"}})", osd));
  if (said) return {};
  Error error = said.error();
  error.attempt = "stop";
  error.subject = fmt::format("osd.{}", osd);
  if (error.errnum != EBUSY) return fail(std::move(error));
  error.exit = Exit::refused;
  error.hint = fmt::format("'ceph osd ok-to-stop {}' lists the PGs; time other OSDs", osd);
  const auto pools = pools_that_need(commands, osd);
  if (!pools || pools->empty()) return fail(std::move(error));
  const bool all_may = std::all_of(pools->begin(), pools->end(), [&](const std::string& pool) {
    return std::find(may_be_offline.begin(), may_be_offline.end(), pool) != may_be_offline.end();
  });
  if (all_may) return {};
  error.hint +=
      fmt::format(", or allow it for these pools with --offline-pools {}", fmt::join(*pools, ","));
  return fail(std::move(error));
}

}  // namespace radosload::timers
