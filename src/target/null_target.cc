#include "target/null_target.h"

#include "target/sim_osds.h"

namespace radosload::target {

namespace {

// Enough for the law's shape down to its 99.9th percentile, few enough for the nearest cache.
constexpr std::size_t latencies = 1024;

}  // namespace

NullTarget::NullTarget(const SimModel& pretended) : m_osds(pretended.osds) {
  for (std::size_t i = 0; i < latencies; ++i) {
    const double middle = (static_cast<double>(i) + 0.5) / static_cast<double>(latencies);
    m_latencies.push_back(pretended.latency.quantile(middle));
  }
}

void NullTarget::pretend(Slot& slot) const noexcept {
  const std::uint64_t mixed = spread(slot.op.object ^ (slot.op.offset << 20U));
  if (slot.op.osd == no_osd) slot.op.osd = osd_of(slot.op.object, m_osds);
  const Time latency = m_latencies[mixed % latencies];
  slot.submitted -= latency;
  slot.intended -= latency;
}

Result<SimModel> parse_pretended(std::string_view sim) {
  auto model = parse_sim(sim);
  if (!model) return model;
  const bool more = !model->slow.empty() || !model->failures.empty() || !model->stalls.empty() ||
                    model->servers + model->threads > 0 || model->lost + model->never > 0;
  if (!more) return model;
  return fail({.attempt = "pretend",
               .subject = "'" + std::string(sim) + "'",
               .reason = "the null target knows latency and osds only",
               .hint = "use --target sim",
               .exit = Exit::usage});
}

}  // namespace radosload::target
