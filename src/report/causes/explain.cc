#include <algorithm>
#include <array>

#include "report/causes/cause.h"
#include "report/causes/evidence.h"

#include <fmt/format.h>

namespace radosload::report {

namespace {

using Finder = void (*)(const causes::Evidence&, std::vector<Cause>&);
constexpr std::array<Finder, 10> finders = {
    causes::find_slow_osds,    causes::find_slow_drives,    causes::find_slow_flushes,
    causes::find_stripe_reads, causes::find_metadata_reads, causes::find_deferred_backlog,
    causes::find_spillover,    causes::find_memory_reads,   causes::find_deep_queue,
    causes::find_client_limits};

bool has_cause(const std::vector<Cause>& causes, std::string_view name, std::string_view of) {
  return std::any_of(causes.begin(), causes.end(), [&](const Cause& cause) {
    return cause.name == name && cause.size && cause.size->of == of;
  });
}

// With one slow OSD, or with slow flushes, the means of all drives look slow, too: these are the
// more exact causes.
void drop_less_exact(std::vector<Cause>& causes) {
  const std::vector<Cause> all = causes;
  std::erase_if(causes, [&all](const Cause& cause) {
    return cause.name == "slow-drives" && cause.size &&
           (has_cause(all, "slow-osd", cause.size->of) ||
            has_cause(all, "slow-flush", cause.size->of));
  });
}

double order_of(const Cause& cause) {
  return cause.size ? cause.size->share : -1;
}

}  // namespace

Explanation explain(const record::RunRecord& record) {
  const causes::Evidence evidence(record);
  Explanation explanation;
  for (const Finder find : finders) find(evidence, explanation.causes);
  drop_less_exact(explanation.causes);
  std::stable_sort(explanation.causes.begin(), explanation.causes.end(),
                   [](const Cause& a, const Cause& b) { return order_of(a) > order_of(b); });
  if (!evidence.undivided().empty()) explanation.unseen.push_back(evidence.undivided());
  if (!record.client_load && needs_cluster(record.header.plan.target)) {
    explanation.unseen.emplace_back("the client's CPUs and network were not measured");
  }
  return explanation;
}

std::string size_text(const CauseSize& size) {
  const bool bounded = size.bound == CauseSize::Bound::at_most;
  return fmt::format("{} {:.0f} % of {} {}'s time", bounded ? "at most" : "about", 100 * size.share,
                     size.of == "operation" ? "an" : "a", size.of);
}

}  // namespace radosload::report
