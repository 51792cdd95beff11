// What an OSD says it has served: the few of its counters that tell how many operations it got.
// Pure; asking is for whoever has an AdminCommands with the rights.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "radosload/admin_commands.h"
#include "radosload/result.h"

namespace radosload::observe {

// Since the OSD came up, or somebody set its counters to zero.
struct ServedCounters {
  std::uint64_t op = 0;
  std::uint64_t op_r = 0;
  std::uint64_t op_w = 0;
  std::uint64_t op_rw = 0;
  std::uint64_t op_r_out_bytes = 0;
  std::uint64_t op_w_in_bytes = 0;
  std::uint64_t subop_w = 0;
};

// `perf dump osd`. A dump without a count of operations is an error.
Result<ServedCounters> parse_served(const std::string& json);
Result<ServedCounters> fetch_served(AdminCommands& commands, std::int32_t osd);

// By how much they grew; nothing when one of them went down, so that they were reset.
std::optional<ServedCounters> growth(const ServedCounters& before, const ServedCounters& after);

}  // namespace radosload::observe
