#include "study/objects_at_once.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <tuple>

namespace radosload::study {

namespace {

// Cells with equal keys work on the same objects.
using Key = std::tuple<std::string, std::uint32_t, std::string, std::string, std::string>;

class Occupancy {
 public:
  Occupancy(const StudyPlan& plan, const std::vector<StudyCell>& cells, const StudyObjects& objects)
      : m_plan(plan), m_cells(cells), m_objects(objects) {
    for (std::size_t cell = 0; cell < m_cells.size(); ++cell) {
      const auto* of_cell = objects_of(m_cells[cell]);
      if (of_cell != nullptr && of_cell->shared) m_last[key_of(m_cells[cell], *of_cell)] = cell;
    }
  }

  std::map<std::string, ObjectsAtOnce> fullest() {
    for (std::size_t cell = 0; cell < m_cells.size(); ++cell) {
      const auto* of_cell = objects_of(m_cells[cell]);
      if (of_cell == nullptr) continue;
      const Key key = key_of(m_cells[cell], *of_cell);
      if (!m_there.contains(key)) add(*of_cell);
      m_there.insert(key);
      const auto last = m_last.find(key);
      if (last != m_last.end() && last->second > cell) continue;
      m_there.erase(key);
      remove(*of_cell);
    }
    return m_fullest;
  }

 private:
  struct Fill {
    std::uint64_t objects = 0;
    double share = 0;  // of what the pool can take
  };

  const CellObjects* objects_of(const StudyCell& cell) const {
    const auto& arms = m_plan.arms;
    const auto found = std::find_if(arms.begin(), arms.end(),
                                    [&](const Arm& arm) { return arm.name == cell.arm; });
    const auto arm = static_cast<std::size_t>(found - arms.begin());
    if (arm >= m_objects.size() || cell.work >= m_objects[arm].size()) return nullptr;
    const auto& of_cell = m_objects[arm][cell.work];
    return of_cell ? &*of_cell : nullptr;
  }
  Key key_of(const StudyCell& cell, const CellObjects& objects) const {
    if (m_plan.keep_objects) return {{}, 0, cell.arm, cell.unit, objects.kind};
    return {cell.phase, cell.round, cell.arm, cell.unit, objects.kind};
  }
  static double share_of(const CellObjects& one) {
    return one.fits == 0 ? 2 : static_cast<double>(one.objects) / static_cast<double>(one.fits);
  }
  void add(const CellObjects& one) {
    Fill& fill = m_fills[one.pool];
    fill.objects += one.objects;
    fill.share += share_of(one);
    double& most = m_most[one.pool];
    if (fill.share <= most) return;
    most = fill.share;
    m_fullest[one.pool] = {.objects = fill.objects,
                           .fit = static_cast<std::uint64_t>(
                               std::llround(static_cast<double>(fill.objects) / fill.share))};
  }
  void remove(const CellObjects& one) {
    Fill& fill = m_fills[one.pool];
    fill.objects -= one.objects;
    fill.share -= share_of(one);
  }

  const StudyPlan& m_plan;
  const std::vector<StudyCell>& m_cells;
  const StudyObjects& m_objects;
  std::map<Key, std::size_t> m_last;  // the last cell that uses them
  std::set<Key> m_there;
  std::map<std::string, Fill> m_fills;
  std::map<std::string, double> m_most;
  std::map<std::string, ObjectsAtOnce> m_fullest;
};

}  // namespace

std::map<std::string, ObjectsAtOnce> most_objects_at_once(const StudyPlan& plan,
                                                          const std::vector<StudyCell>& cells,
                                                          const StudyObjects& objects) {
  return Occupancy(plan, cells, objects).fullest();
}

}  // namespace radosload::study
