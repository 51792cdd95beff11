// Where the operations of one lane come from: the load, or the prefill.
#pragma once

#include <cstdint>
#include <variant>

#include "engine/engine.h"
#include "workload/layout.h"
#include "workload/stream.h"

namespace radosload::engine {

using LaneSource = std::variant<workload::Stream, workload::PrefillStream>;

// Of this process's lane `index` of `lanes`.
LaneSource source_for(const EnginePlan& plan, std::uint32_t index, std::uint32_t lanes);
bool is_over(const workload::Stream& source);
bool is_over(const workload::PrefillStream& source);

}  // namespace radosload::engine
