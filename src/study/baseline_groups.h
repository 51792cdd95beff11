// The runs of a baseline, divided by what they measured, and which runs may be kept as one. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "record/baseline.h"
#include "stats/arms.h"

namespace radosload::study {

// The repeats of one load.
struct BaselineGroup {
  std::string name;  // "randread4k", "randread4k qd=4": no two groups have the same
  RunPlan plan;      // of the first run
  std::vector<record::RunRecord> runs;  // the oldest first
};

// Runs whose plans agree in all that affects the figures are one group, in the order in which the
// runs are given.
std::vector<BaselineGroup> baseline_groups(const std::vector<record::RunRecord>& runs);

// Why the figures of the run, or of runs together, are a bad base: "20261121-...: void: osd.3
// restarted". Empty: they are a good one.
std::vector<std::string> objections_to(const std::vector<record::RunRecord>& runs);

// Refuses runs that can never be compared with later ones, even with --force: none at all,
// runs of several clusters, or plans that cannot be run again.
Status check_repeatable(const std::vector<record::RunRecord>& runs);

// The plan of a new run of the group: no seed, no objects of an earlier run, and the label
// baseline=NAME.
RunPlan plan_to_repeat(const BaselineGroup& group, const std::string& baseline);

// The rules for one of `groups` groups: all share the error level, so that a check of many loads
// raises no more false alarms than that of one. An Error when the group has no metric `primary`.
Result<stats::ArmRules> rules_of_group(const record::Baseline& baseline, const BaselineGroup& group,
                                       std::size_t groups);

// What changed between a run of the baseline and the place of new ones.
struct PlaceChange {
  std::string what;  // "Ceph version", "size of pool hdd"
  std::string before;
  std::string now;
  bool operator==(const PlaceChange&) const = default;
};
std::vector<PlaceChange> place_changes(const record::Environment& before,
                                       const record::Environment& now);

// "16.2.15" or, while an upgrade is under way, "16.2.15, 18.2.7"; empty without a cluster.
std::string version_text(const record::Environment& environment);

}  // namespace radosload::study
