#include "observe/space.h"

#include <string_view>
#include <utility>

#include "observe/fetch_osd_map.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

using placement::SpaceView;

void unseen(SpaceView& view, std::string_view what, const Error& error) {
  view.unseen.push_back(fmt::format("{}: {}", what, error.message()));
}

// What only the mgr knows. Both or neither: PGs without OSDs, or OSDs without PGs, plan nothing.
void fetch_osds(AdminCommands& commands, SpaceView& view) {
  auto usage = commands.mgr(R"({"prefix": "osd df", "format": "json"})");
  auto osds = usage ? placement::parse_osd_df(*usage) : fail(usage.error());
  if (!osds) return unseen(view, "space on each OSD", osds.error());
  auto pgs = fetch_pgs(commands, view.pool.id);
  if (!pgs) return unseen(view, "where the PGs are", pgs.error());
  view.osds = *std::move(osds);
  view.pgs = *std::move(pgs);
}

}  // namespace

Result<placement::PgMap> fetch_pgs(AdminCommands& commands, std::int64_t pool) {
  RADOSLOAD_ASSIGN(const auto dump, commands.mgr(pgs_brief_command));
  return placement::PgMap::parse_pgs_brief(dump, pool);
}

void refresh_pgs(AdminCommands& commands, SpaceView& view) {
  if (auto pgs = fetch_pgs(commands, view.pool.id)) view.pgs = *std::move(pgs);
  if (auto map = fetch_osd_map(commands)) view.down = std::move(map->down);
}

Result<SpaceView> fetch_space(AdminCommands& commands, const ClusterStatus& status,
                              const std::string& pool) {
  RADOSLOAD_TRY(status.osdmap_seen);
  RADOSLOAD_ASSIGN(SpaceView view, placement::space_of(status.osdmap, pool));
  if (!status.usage_seen) unseen(view, "what the pool holds", status.usage_seen.error());
  fetch_osds(commands, view);
  if (view.osds.empty()) return view;
  const auto metadata = commands.mon(R"({"prefix": "osd metadata", "format": "json"})");
  auto sizes = metadata ? placement::parse_allocation(*metadata) : fail(metadata.error());
  if (sizes) {
    view.allocation = *std::move(sizes);
  } else {
    unseen(view, "allocation units of the OSDs", sizes.error());
  }
  return view;
}

}  // namespace radosload::observe
