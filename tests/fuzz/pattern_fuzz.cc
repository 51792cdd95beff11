// What a person may type: patterns, rates, sizes. Whatever is understood must be sound, and what is
// recorded of it must read back.
#include "radosload/units.h"

#include "fuzz/target.h"
#include "plan/arrival_text.h"
#include "plan/patterns.h"
#include "plan/steps.h"
#include "target/sim_model.h"
#include "workload/layout.h"

namespace radosload {
namespace {

void pattern(std::string_view text) {
  const auto parsed = plan::parse_pattern(text);
  if (!parsed) return fuzz::require(!parsed.error().message().empty());
  const std::string said = plan::pattern_text(*parsed);
  const auto again = plan::parse_pattern(said);
  fuzz::require(again && plan::pattern_text(*again) == said);
  for (const bool overwrites : {true, false}) {
    workload::PoolTraits pool;
    pool.overwrites = overwrites;
    const auto layout = workload::lay_out(*parsed, pool, 3);
    if (layout) fuzz::require(layout->objects > 0);
  }
}

void steps(std::string_view text) {
  plan::Request request;
  request.plan.target = TargetKind::null;
  request.pattern = text;
  const auto expanded = plan::expand(request);
  if (!expanded) return fuzz::require(!expanded.error().message().empty());
  fuzz::require(!expanded->steps.empty() && expanded->steps.size() <= plan::most_steps);
  for (const auto& step : expanded->steps)
    fuzz::require(plan::check(step.plan.pattern).has_value());
}

}  // namespace
}  // namespace radosload

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = radosload::fuzz::text_of(data, size);
  radosload::pattern(text);
  radosload::steps(text);
  static_cast<void>(radosload::plan::parse_arrival(text));
  static_cast<void>(radosload::parse_bytes(text));
  static_cast<void>(radosload::parse_duration(text));
  static_cast<void>(radosload::parse_count(text));
  static_cast<void>(radosload::target::parse_sim(std::string(text)));
  return 0;
}
