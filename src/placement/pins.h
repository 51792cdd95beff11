// Which objects to use so that chosen OSDs serve them: the same number for each OSD, found by
// hashing candidates until each OSD has enough. Explains why if that fails. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "placement/pg_map.h"

namespace radosload::placement {

struct PinWish {
  std::string pool;                // for messages
  std::vector<std::int32_t> osds;  // each once
  PinMode mode = PinMode::primary;
  std::uint64_t each = 1;        // objects for each OSD
  std::uint64_t candidates = 0;  // how many there are to choose from; 0: without end
  bool fewer_will_do = false;    // as many as all of them have, where there are not enough
};

struct Pinned {
  std::int32_t osd = no_osd;
  std::vector<std::uint64_t> objects;  // in ascending order
  std::vector<std::uint32_t> pgs;      // of each of them
};

// In the order of the wish. `pg_of` tells the PG of a candidate.
Result<std::vector<Pinned>> pin_objects(const PgMap& map, const PinWish& wish,
                                        const std::function<std::uint32_t(std::uint64_t)>& pg_of);

// OSDs by id: asked for every member of every acting set.
class OsdSet {
 public:
  explicit OsdSet(const std::vector<std::int32_t>& osds);
  bool has(std::int32_t osd) const {
    return osd >= 0 && static_cast<std::size_t>(osd) < m_has.size() &&
           m_has[static_cast<std::size_t>(osd)];
  }

 private:
  std::vector<bool> m_has;
};

// Whether objects of the PG may be used for a wish; they are its primary's then.
bool serves(const Pg& pg, const OsdSet& osds, PinMode mode);

}  // namespace radosload::placement
