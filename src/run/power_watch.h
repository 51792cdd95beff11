// Measures the power of a run: without load before it, and then in exactly its measured phase. Does
// nothing when the plan does not ask for it.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "radosload/run_plan.h"

#include "base/interrupts.h"
#include "record/energy.h"
#include "record/progress.h"
#include "record/run_record.h"
#include "run/energy.h"
#include "run/measure.h"
#include "watch/power_meter.h"

namespace radosload::run {

class PowerWatch {
 public:
  explicit PowerWatch(PowerPlan plan) : m_plan(std::move(plan)) {}
  ~PowerWatch() = default;
  PowerWatch(const PowerWatch&) = delete;
  PowerWatch& operator=(const PowerWatch&) = delete;
  PowerWatch(PowerWatch&&) = delete;
  PowerWatch& operator=(PowerWatch&&) = delete;

  // Call before anything is changed: an error when a source cannot be read.
  Status open();
  // Call before the load and what it is prepared by; waits. An error when interrupted.
  Status measure_idle(const base::Interrupts& interrupts, record::ProgressListener& listener);
  // Adds what it has to know to the measured pass. Call last of those that do so.
  void follow(Pass& pass);
  // Call after the last answer. `so_far`: the record without its footer. None: not measured.
  std::optional<record::Energy> finish(const record::RunRecord& so_far, Time measured);

 private:
  void enter(Phase phase);

  PowerPlan m_plan;
  std::unique_ptr<watch::PowerMeter> m_meter;  // null: nothing is measured
  PowerTimes m_times;
  bool m_begun = false;  // the measured phase
};

}  // namespace radosload::run
