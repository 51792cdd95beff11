#include "prepare/dataset_cache.h"

#include <algorithm>
#include <utility>

#include "workload/payload.h"

namespace radosload::prepare {

using workload::Prefill;

bool DatasetCache::Filled::serves(const RunPlan& plan, const workload::Layout& layout) const {
  // Those make or take away the objects themselves: on what is there already they would do
  // something else than by themselves.
  if (layout.finite || layout.prefill == Prefill::nothing) return false;
  // Writes that begin within a sector cut the stamps of other writes in two.
  if (plan.pattern.writes_data() && plan.pattern.block_size.count % workload::sector_bytes != 0) {
    return false;
  }
  // Objects of values without a value cannot be read; the other way round is fine.
  const bool filled =
      layout.prefill == with || (layout.prefill == Prefill::empty && with == Prefill::omap);
  return filled && dataset.fits(plan, layout);
}

bool DatasetCache::wanted_later(const Filled& filled, const LayoutOf& lay_out) const {
  return std::any_of(m_later.begin(), m_later.end(), [&](const RunPlan& plan) {
    const auto laid = lay_out(plan);
    return laid && plan.reuse.empty() && filled.serves(laid->plan, laid->layout);
  });
}

const Dataset* DatasetCache::find(const RunPlan& plan, const workload::Layout& layout) const {
  if (!plan.reuse.empty()) return nullptr;
  const auto found = std::find_if(m_filled.begin(), m_filled.end(), [&](const Filled& filled) {
    return filled.serves(plan, layout);
  });
  return found == m_filled.end() ? nullptr : &found->dataset;
}

std::optional<Dataset> DatasetCache::take(const std::string& name) {
  const auto found = std::find_if(m_filled.begin(), m_filled.end(), [&](const Filled& filled) {
    return filled.dataset.name() == name;
  });
  if (found == m_filled.end()) return std::nullopt;
  std::optional<Dataset> taken = std::move(found->dataset);
  m_filled.erase(found);
  return taken;
}

void DatasetCache::put(Dataset dataset, const RunPlan& plan, const workload::Layout& layout,
                       const LayoutOf& lay_out, base::Interrupts& interrupts,
                       record::ProgressListener& listener) {
  // Without prefill it is unknown how many of the objects exist.
  const bool whole =
      dataset.ready() && !dataset.reused() && !layout.finite && layout.prefill != Prefill::nothing;
  if (whole && interrupts.count() == 0) {
    // What the first step has written into them is there, even if later ones need something else.
    const auto with = m_filled_with.try_emplace(dataset.name(), layout.prefill).first->second;
    m_filled.push_back({std::move(dataset), with, plan.keep});
  } else {
    dataset.clean_up(plan.keep, interrupts, listener);
  }
  for (auto filled = m_filled.begin(); filled != m_filled.end();) {
    if (wanted_later(*filled, lay_out)) {
      ++filled;
    } else {
      filled->dataset.clean_up(filled->keep, interrupts, listener);
      filled = m_filled.erase(filled);
    }
  }
}

void DatasetCache::clear(base::Interrupts& interrupts, record::ProgressListener& listener) {
  for (Filled& filled : m_filled) filled.dataset.clean_up(filled.keep, interrupts, listener);
  m_filled.clear();
}

}  // namespace radosload::prepare
