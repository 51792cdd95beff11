#include "probe/budget.h"

#include <cmath>

#include <fmt/format.h>

namespace radosload::probe {

namespace {

double operations_per_round(const PoolCost& cost, const Samples& samples) {
  return samples.reads * cost.drives_per_read +
         samples.writes * operations_per_write * cost.drives_per_write;
}

}  // namespace

double share_of_drive(const PoolCost& cost, const Samples& samples, Time interval) {
  return operations_per_round(cost, samples) / seconds(interval) / slow_drive_iops;
}

Time shortest_interval(const PoolCost& cost, const Samples& samples) {
  const double least = operations_per_round(cost, samples) / (slow_drive_iops * most_share);
  return std::chrono::seconds(static_cast<std::int64_t>(std::ceil(least)));
}

Status check_budget(const PoolCost& cost, const Samples& samples, Time interval) {
  const double share = share_of_drive(cost, samples, interval);
  if (share <= most_share) return {};
  const Time least = shortest_interval(cost, samples);
  return fail(
      {.attempt = fmt::format("probe every {}", human_text(interval)),
       .reason = fmt::format("with {} reads and {} writes in a visit that takes {:.2f} % of "
                             "each drive of {:.0f} IOPS (limit {:.1f} %)",
                             samples.reads, samples.writes, 100 * share, slow_drive_iops,
                             100 * most_share),
       .hint = fmt::format("write --interval {}, fewer --reads, or --force", option_text(least)),
       .exit = Exit::refused});
}

}  // namespace radosload::probe
