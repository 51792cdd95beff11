#include "placement/space_view.h"

#include <algorithm>
#include <string_view>

#include "base/ceph_json.h"

#include <fmt/format.h>

namespace radosload::placement {

namespace {

using ceph_json::Json;
using ceph_json::member;
using ceph_json::number;
using ceph_json::parse_array;
using ceph_json::parse_object;
using ceph_json::small_number;
using ceph_json::text;

// `osd df` prints C's "nan" for ratios of nothing to nothing, which is not JSON; we use no ratio.
std::string without_nan(std::string json) {
  for (const std::string_view word : {"-nan", "nan", "-inf", "inf"}) {
    std::size_t at = 0;
    while ((at = json.find(word, at)) != std::string::npos) {
      const bool value = at > 0 && (json[at - 1] == ':' || json[at - 1] == ' ');
      if (value) json.replace(at, word.size(), "0");
      at += value ? 1 : word.size();
    }
  }
  return json;
}

}  // namespace

Result<std::vector<OsdUsage>> parse_osd_df(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("osd df", without_nan(json)));
  std::vector<OsdUsage> osds;
  for (const Json& node : member(parsed, "nodes")) {
    if (const std::string type = text(node, "type"); !type.empty() && type != "osd") continue;
    osds.push_back({.id = static_cast<std::int32_t>(number(node, "id")),
                    .device_class = text(node, "device_class"),
                    .total = kib(number(node, "kb")),
                    .used = kib(number(node, "kb_used")),
                    .available = kib(number(node, "kb_avail")),
                    .pgs = small_number(node, "pgs")});
  }
  return osds;
}

Result<SpaceView> space_of(const OsdMap& map, const std::string& pool) {
  const Pool* const found = map.pool(pool);
  if (found == nullptr) {
    return fail({.attempt = "find the pool",
                 .subject = fmt::format("'{}'", pool),
                 .reason = "there is no pool of that name",
                 .exit = Exit::no_cluster});
  }
  SpaceView view{.pool = *found, .nearfull_ratio = map.nearfull_ratio, .down = map.down};
  view.pool.size = std::max(1U, view.pool.size);
  view.pool.pg_num = std::max(1U, view.pool.pg_num);
  return view;
}

Result<std::map<std::int32_t, Bytes>> parse_allocation(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_array("osd metadata", json));
  std::map<std::int32_t, Bytes> sizes;
  for (const Json& osd : parsed) {
    const std::uint64_t size = number(osd, "bluestore_min_alloc_size");
    if (size > 0) sizes[static_cast<std::int32_t>(number(osd, "id"))] = Bytes{size};
  }
  return sizes;
}

}  // namespace radosload::placement
