#include "probe/sim_prober.h"

#include <algorithm>
#include <utility>

namespace radosload::probe {

bool VirtualClock::sleep_until(Time due) {
  m_now = std::max(m_now, due);
  return !ended();
}

SimProber::SimProber(target::SimModel model, bool by_pool, std::uint64_t seed,
                     std::function<void(Time)> wait)
    : m_model(std::move(model)),
      m_by_pool(by_pool),
      m_random(seed, "probe"),
      m_wait(std::move(wait)) {}

Result<Survey> SimProber::survey() {
  ++m_rounds;
  Survey survey;
  survey.cost = {.drives_per_read = 1, .drives_per_write = 1};
  if (m_by_pool) {
    survey.targets.push_back({.osd = whole_pool, .device_class = "sim"});
    return survey;
  }
  for (std::uint32_t osd = 0; osd < m_model.osds; ++osd) {
    survey.targets.push_back({.osd = static_cast<std::int32_t>(osd), .device_class = "sim"});
  }
  return survey;
}

Answer SimProber::probe(const Target& target, Kind /*kind*/, std::uint64_t turn) {
  const auto osd = m_by_pool ? static_cast<std::int32_t>(turn % m_model.osds) : target.osd;
  const double factor = m_rounds > healthy_rounds ? m_model.factor(osd) : 1;
  // In (0, 1), as the quantile takes it.
  constexpr double least = 1e-12;
  const double draw = std::clamp(m_random.unit(), least, 1 - least);
  const Time took(static_cast<std::int64_t>(
      factor * static_cast<double>(m_model.latency.quantile(draw).count())));
  m_wait(took);
  Answer answer{.took = took};
  double fate = m_random.unit();
  for (const auto& failure : m_model.failures) {
    if (fate < failure.probability) {
      answer.rc = failure.rc;
      break;
    }
    fate -= failure.probability;
  }
  return answer;
}

}  // namespace radosload::probe
