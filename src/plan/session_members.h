// How many members a session has, as --members takes it.
#pragma once

#include <cstdint>
#include <string_view>

#include "radosload/result.h"

namespace radosload::plan {

struct MemberRange {
  std::uint32_t least = 1;
  std::uint32_t most = 1;
};

inline constexpr std::uint32_t most_members = 2000;

// "8" or "4-8".
Result<MemberRange> parse_members(std::string_view text);

}  // namespace radosload::plan
