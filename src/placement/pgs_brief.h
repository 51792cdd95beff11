// Reads `pg dump pgs_brief` and `pg ls` PG by PG, without ever holding the text as a tree: large
// clusters have a quarter of a million PGs. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::placement {

struct PgId {
  std::int64_t pool = -1;
  std::uint32_t seed = 0;
};
// "2.1f": a decimal pool, a hexadecimal seed. Nothing for anything else.
std::optional<PgId> parse_pg_id(std::string_view text);

// Valid during the call only.
struct BriefPg {
  std::int64_t pool = -1;  // -1: an id that is none
  std::uint32_t seed = 0;
  std::string_view state = {};
  std::int32_t primary = -1;                  // acting_primary
  std::span<const std::int32_t> acting = {};  // replicas in order, or shards by their number
  // Only `pg ls` has these.
  std::string_view scrubbed = {};  // the stamps of its last scrubs
  std::string_view deep_scrubbed = {};
  std::optional<Time> scrub_took = {};  // the last one; releases before 17 do not tell
};

// The list is the document itself or its member pg_stats, and is empty when that is missing. Text
// that is not JSON, or is cut off, is an error; some PGs may have been taken by then.
Status read_pgs_brief(const std::string& json, const std::function<void(const BriefPg&)>& take);

}  // namespace radosload::placement
