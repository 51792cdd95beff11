// Which objects of an earlier run a run may use instead of writing its own. Pure.
#pragma once

#include <string>
#include <vector>

#include "radosload/result.h"

#include "footprint/ledger.h"

namespace radosload::footprint {

struct Wanted {
  std::uint64_t objects = 0;  // at least
  Bytes object_size = {};     // exactly: reads of another layout would miss what is there
  Content content = Content::data;
  Bytes value_size = {};                 // omap only
  std::vector<std::string> images = {};  // these and no others; empty: any
  std::uint64_t image_count = 0;
  std::string image_nspace = {};
  std::vector<std::int32_t> osds = {};  // each with as many of the objects; empty: none are picked
  bool fewer_will_do = false;           // of those that are picked
};

// Why objects of that manifest do not fit the plan; empty when they do. Says nothing of
// whether they are there.
std::string misfit(const Manifest& manifest, const Wanted& wanted);

// Why the entry's objects will not do; empty when they will. Objects that another run is reading
// may be read by this one too.
std::string why_not(const Entry& entry, const Wanted& wanted);

// `which` is a run id, a unique beginning of one, or "last": the youngest that will do. The error
// names the kept runs and why each does not fit.
//
// Take a Lease on the chosen run before relying on it, and look it up again after that: a
// cleanup may have begun in between (state `deleting`).
Result<Manifest> choose(const std::vector<Entry>& entries, const Wanted& wanted,
                        const std::string& which);

}  // namespace radosload::footprint
