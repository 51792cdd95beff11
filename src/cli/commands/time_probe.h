// The reads of `radosload time compact --pool`: radosload's own objects, and a thread that reads
// them.
#pragma once

#include <memory>
#include <string>

#include "radosload/admin_commands.h"
#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "footprint/probe_objects.h"
#include "timers/probe.h"

namespace radosload::cli {

// The destructor removes the objects, and warns when that fails.
class ProbedPool {
 public:
  static Result<std::unique_ptr<ProbedPool>> open(const ClusterOptions& cluster,
                                                  AdminCommands& commands,
                                                  const footprint::ProbeWish& wish);
  ~ProbedPool();
  ProbedPool(const ProbedPool&) = delete;
  ProbedPool& operator=(const ProbedPool&) = delete;
  ProbedPool(ProbedPool&&) = delete;
  ProbedPool& operator=(ProbedPool&&) = delete;

  std::unique_ptr<timers::Probe> start(std::int32_t osd) const;

 private:
  explicit ProbedPool(std::shared_ptr<footprint::ProbeObjects> objects)
      : m_objects(std::move(objects)) {}
  std::shared_ptr<footprint::ProbeObjects> m_objects;
};

}  // namespace radosload::cli
