#include "target/null_target.h"

namespace radosload::target {

NullTarget::NullTarget(const SimModel& pretended) : m_osds(pretended.osds) {
  for (std::size_t i = 0; i < latencies; ++i) {
    const double middle = (static_cast<double>(i) + 0.5) / static_cast<double>(latencies);
    m_latencies.push_back(pretended.latency.quantile(middle));
  }
}

Result<SimModel> parse_pretended(std::string_view sim) {
  auto model = parse_sim(sim);
  if (!model) return model;
  const bool more = !model->slow.empty() || !model->failures.empty() || !model->stalls.empty() ||
                    model->servers + model->threads > 0 || model->lost + model->never > 0 ||
                    model->keeps_content;
  if (!more) return model;
  return fail({.reason = "--sim " + std::string(sim) + " is not supported by --target null",
               .hint = "--target null supports only latency and osds; use --target sim",
               .exit = Exit::usage});
}

}  // namespace radosload::target
