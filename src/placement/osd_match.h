// Which OSDs of one kind can fairly be compared with which of another, and what a comparison of
// that many pairs can show. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "radosload/result.h"

#include "placement/osd_confounders.h"
#include "placement/osd_inventory.h"

namespace radosload::placement {

struct OsdPair {
  std::int32_t a = -1;
  std::int32_t b = -1;
  std::vector<Confounder> found = {};
};

// Two kinds of OSD within one device class.
struct KindMatch {
  OsdKind a = OsdKind::unknown;
  OsdKind b = OsdKind::unknown;
  std::string device_class = {};
  std::vector<std::int32_t> of_a = {};  // all there are
  std::vector<std::int32_t> of_b = {};
  std::vector<OsdPair> pairs = {};  // the fair ones, the least confounded first
  // When there is no fair one: that with the fewest grave differences, and in how many of all the
  // possible pairs each of those stands.
  std::optional<OsdPair> nearest = {};
  std::map<std::string, std::size_t> obstacles = {};
};

using KindPair = std::pair<OsdKind, OsdKind>;

// "wal,db"; empty text is every two kinds. Anything else is a usage error.
Result<std::optional<KindPair>> parse_kinds(std::string_view text);

// For every class that has both kinds; all kinds when none are given. Two kinds that were given
// and are nowhere in one class are an error that lists the kinds.
Result<std::vector<KindMatch>> match_osds(const OsdInventory& inventory,
                                          const std::optional<KindPair>& kinds,
                                          const MatchLimits& limits = {});

// In words, what may be said of the kinds after that many pairs have been measured.
std::string scope_text(std::size_t pairs);

}  // namespace radosload::placement
