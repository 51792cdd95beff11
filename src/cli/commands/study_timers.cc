#include "cli/commands/study_timers.h"

#include <cstdint>

#include "cli/commands/time_cell.h"
#include "study/fairness.h"

namespace radosload::cli {

namespace {

std::vector<std::int32_t> osds_of(const study::ArmUnits& arm) {
  std::vector<std::int32_t> osds;
  for (const std::string& unit : arm.units) {
    if (const auto osd = study::osd_of_unit(unit)) osds.push_back(*osd);
  }
  return osds;
}

}  // namespace

std::vector<Error> refused_timers(const study::StudyDocument& document,
                                  const StudyRunPlans& plans) {
  std::vector<Error> refused;
  for (std::size_t work = 0; work < document.plan.works.size(); ++work) {
    if (!study::is_timer(document, work)) continue;
    for (std::size_t arm = 0; arm < document.units.size(); ++arm) {
      const auto allowed = may_time({.words = document.plan.works[work].words,
                                     .cluster = study::plan_of(plans, arm, work).cluster,
                                     .osd = 0,
                                     .yes = true},
                                    osds_of(document.units[arm]));
      if (!allowed) refused.push_back(allowed.error());
    }
  }
  return refused;
}

}  // namespace radosload::cli
