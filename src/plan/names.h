// The names of the values of a plan, which options take and reports show.
#pragma once

#include <array>
#include <string_view>

#include "radosload/pattern.h"
#include "radosload/run_plan.h"

namespace radosload::plan {

// In the order of the enums.
inline constexpr std::array<std::string_view, 6> target_names = {"rados", "null",  "sim",
                                                                 "rbd",   "block", "cephfs"};
inline constexpr std::array<std::string_view, 2> pin_names = {"primary", "all"};
inline constexpr std::array<std::string_view, 3> cache_names = {"warm", "bypass", "drop"};
inline constexpr std::array<std::string_view, 4> verify_names = {"off", "stamp", "generation",
                                                                 "full"};

inline constexpr std::array<std::string_view, 2> sharing_names = {"split", "all"};
inline constexpr std::array<std::string_view, 4> power_names = {"off", "rapl", "hwmon", "auto"};

std::string_view name_of(TargetKind target);
std::string_view name_of(CacheMode cache);
std::string_view name_of(Arrival::Law law);  // "closed", "constant", "poisson"
std::string_view name_of(Access access);     // "random", "sequential"

// What the operations of a pattern are: "read", "mixed", "omap-set".
std::string_view operation_name(const Pattern& pattern);

}  // namespace radosload::plan
