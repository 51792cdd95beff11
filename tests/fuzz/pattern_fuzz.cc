// What a person may type: patterns, rates, sizes. Whatever is understood must be sound, and what is
// recorded of it must read back.
#include "radosload/units.h"

#include "fuzz/target.h"
#include "target/sim_model.h"
#include "workload/arrival.h"
#include "workload/layout.h"
#include "workload/patterns.h"
#include "workload/steps.h"

namespace radosload {
namespace {

void pattern(std::string_view text) {
  const auto parsed = workload::parse_pattern(text);
  if (!parsed) return fuzz::require(!parsed.error().message().empty());
  const std::string said = workload::pattern_text(*parsed);
  const auto again = workload::parse_pattern(said);
  fuzz::require(again && workload::pattern_text(*again) == said);
  for (const bool overwrites : {true, false}) {
    workload::PoolTraits pool;
    pool.overwrites = overwrites;
    const auto layout = workload::lay_out(*parsed, pool, 3);
    if (layout) fuzz::require(layout->objects > 0);
  }
}

void steps(std::string_view text) {
  workload::Request request;
  request.plan.target = TargetKind::null;
  request.pattern = text;
  const auto expanded = workload::expand(request);
  if (!expanded) return fuzz::require(!expanded.error().message().empty());
  fuzz::require(!expanded->steps.empty() && expanded->steps.size() <= workload::most_steps);
  for (const auto& step : expanded->steps)
    fuzz::require(workload::check(step.plan.pattern).has_value());
}

}  // namespace
}  // namespace radosload

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = radosload::fuzz::text_of(data, size);
  radosload::pattern(text);
  radosload::steps(text);
  static_cast<void>(radosload::workload::parse_arrival(text));
  static_cast<void>(radosload::parse_bytes(text));
  static_cast<void>(radosload::parse_duration(text));
  static_cast<void>(radosload::parse_count(text));
  static_cast<void>(radosload::target::parse_sim(std::string(text)));
  return 0;
}
