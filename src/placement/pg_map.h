// Which OSDs hold each PG of one pool, as one command told it. Pure: reads text, touches no
// cluster. Large clusters have a quarter of a million PGs, so the text is never held as a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "radosload/result.h"

namespace radosload::placement {

// In an acting set of an erasure-coded PG: the shard has no OSD (CRUSH_ITEM_NONE).
inline constexpr std::int32_t no_shard = 2147483647;

// Tables are as long as the highest number of a PG: an answer with a higher one is refused. Ceph's
// own limit is 65,536 PGs in a pool (mon_max_pool_pg_num).
inline constexpr std::uint32_t most_pgs_of_pool = 1U << 20U;

struct Pg {
  std::uint32_t seed = 0;     // the part after the dot of "2.1f"
  std::int32_t primary = -1;  // acting_primary, which need not be acting[0]; -1: none
  bool active = false;
  bool clean = false;
  // Replicas in order, or shards by their number with no_shard for those that are missing. Points
  // into the map.
  std::span<const std::int32_t> acting = {};
};

// "3,1,2"; a shard without an OSD is "-".
std::string acting_text(const Pg& pg);
// The same for a sentence: "no OSD" where there is none.
std::string acting_words(const Pg& pg);

class PgMap {
 public:
  // Reads `pg dump pgs_brief` (or anything with its keys) in JSON and keeps the PGs of the pool. A
  // missing or empty list is an empty map; text that is not JSON, or is cut off, is an error, and
  // so is a PG of the pool beyond `most_pgs_of_pool`.
  static Result<PgMap> parse_pgs_brief(const std::string& json, std::int64_t pool);

  std::size_t size() const { return m_entries.size(); }
  bool empty() const { return m_entries.empty(); }
  // In the order of their seeds.
  Pg at(std::size_t index) const;
  std::optional<Pg> find(std::uint32_t seed) const;

 private:
  struct Entry {
    std::uint32_t seed;
    std::int32_t primary;
    std::uint32_t first;  // in m_acting
    std::uint16_t count;
    bool active;
    bool clean;
  };

  std::vector<Entry> m_entries;
  std::vector<std::int32_t> m_acting;
};

// The share of a pool's objects that hash to the PG. When pg_num is not a power of two, the PGs not
// yet split hold twice as much as the others (ceph_stable_mod).
double pg_share(std::uint32_t seed, std::uint32_t pg_num);

}  // namespace radosload::placement
