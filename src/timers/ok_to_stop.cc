#include "timers/ok_to_stop.h"

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "observe/fetch_osd_map.h"
#include "observe/osd_timing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::timers {

namespace {

std::string pool_name(const placement::OsdMap& map, const observe::PgTiming& pg) {
  const std::string id = pg.pgid.substr(0, pg.pgid.find('.'));
  const auto found = std::find_if(map.pools.begin(), map.pools.end(),
                                  [&](const auto& pool) { return std::to_string(pool.id) == id; });
  return found == map.pools.end() ? id : found->name;
}

bool needs_every_osd(const placement::OsdMap& map, const observe::PgTiming& pg) {
  const std::string name = pool_name(map, pg);
  const auto found = std::find_if(map.pools.begin(), map.pools.end(),
                                  [&](const auto& pool) { return pool.name == name; });
  // A pool that the map does not have is a newer one.
  return found == map.pools.end() || pg.acting <= found->min_size;
}

// The names of the pools with PGs that have no OSD to spare.
Result<std::set<std::string>> pools_that_need(AdminCommands& commands, std::int32_t osd) {
  RADOSLOAD_ASSIGN(const auto pgs, observe::fetch_pgs_on(commands, osd));
  RADOSLOAD_ASSIGN(const auto map, observe::fetch_osd_map(commands));
  std::set<std::string> pools;
  for (const observe::PgTiming& pg : pgs) {
    if (needs_every_osd(map, pg)) pools.insert(pool_name(map, pg));
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
