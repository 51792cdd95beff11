// The length of a warm-up as users write and read it: a time, or until the load is steady.
#pragma once

#include <string>
#include <string_view>

#include "radosload/run_plan.h"

#include "plan/refusal.h"

namespace radosload::plan {

inline constexpr std::string_view auto_warmup = "auto";
// A load that is not steady after this is measured all the same, and the report warns of it.
inline constexpr Time longest_auto_warmup = std::chrono::seconds(60);

// "5s", "auto"
std::string warmup_value(const RunPlan& plan);
Refusal set_warmup(RunPlan& plan, std::string_view text);

// "5s of warm-up", "a warm-up of at most 1m"
std::string warmup_words(const RunPlan& plan);

}  // namespace radosload::plan
