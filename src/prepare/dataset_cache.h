// Objects and images that one step of a series has filled and later steps use again, instead of
// filling their own. The leases on them are kept, so that no cleanup removes them; they are removed
// as soon as no later step needs them. Likewise the file that a step has made with --drive.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "radosload/run_plan.h"

#include "base/interrupts.h"
#include "prepare/dataset.h"
#include "prepare/drive.h"
#include "record/progress.h"
#include "workload/layout.h"

namespace radosload::prepare {

class DatasetCache {
 public:
  // What another step would work on here, and its plan as the place has it; nothing if it could
  // not.
  struct PlannedLayout {
    RunPlan plan;
    workload::Layout layout;
  };
  using LayoutOf = std::function<std::optional<PlannedLayout>(const RunPlan&)>;

  // The plans of the steps that come after the one that is run next.
  void expect(std::vector<RunPlan> later) { m_later = std::move(later); }

  // Objects that will do for a step; none: a null pointer.
  const Dataset* find(const RunPlan& plan, const workload::Layout& layout) const;
  // Those of that name; the step owns them from now on.
  std::optional<Dataset> take(const std::string& name);
  // The end of a step: its objects are kept here if a later step can use them; objects that no
  // later step can use are removed.
  void put(Dataset dataset, const RunPlan& plan, const workload::Layout& layout,
           const LayoutOf& lay_out, base::Interrupts& interrupts,
           record::ProgressListener& listener);
  // The file that the step before has written; none: a null pointer.
  const FilledFile* file() const { return m_file ? &*m_file : nullptr; }
  void put(std::optional<FilledFile> file) { m_file = std::move(file); }
  // The end of the series, after success or failure.
  void clear(base::Interrupts& interrupts, record::ProgressListener& listener);

 private:
  struct Filled {
    Dataset dataset;
    workload::Prefill with;
    bool keep;
    bool serves(const RunPlan& plan, const workload::Layout& layout) const;
  };
  bool wanted_later(const Filled& filled, const LayoutOf& lay_out) const;

  std::vector<RunPlan> m_later;
  std::vector<Filled> m_filled;
  std::optional<FilledFile> m_file;
  std::map<std::string, workload::Prefill> m_filled_with;  // by the objects' names
};

}  // namespace radosload::prepare
