// Where one PG is, as the mons say it: the authority when the map has just changed. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/op.h"
#include "radosload/result.h"

namespace radosload::placement {

struct PgPlace {
  std::uint64_t epoch = 0;
  std::int32_t primary = no_osd;
  std::vector<std::int32_t> acting = {};  // with no_shard for what is missing

  bool same_set(const PgPlace& other) const {
    return primary == other.primary && acting == other.acting;
  }
};

// `osd map`
Result<PgPlace> parse_osd_map(const std::string& json);
// `osd stat`: the map's epoch
Result<std::uint64_t> parse_epoch(const std::string& json);

}  // namespace radosload::placement
