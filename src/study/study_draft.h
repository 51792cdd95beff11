// What a study is about to do, found out without changing anything: how long it takes, the space it
// needs, what is missing on the cluster, and what else than the question makes its arms differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "study/document.h"
#include "study/outlook.h"

namespace radosload::study {

// By arm, then by load.
using StudyRunPlans = std::vector<std::vector<RunPlan>>;

// A document that comes from a file may name more arms than there are plans.
const RunPlan& plan_of(const StudyRunPlans& plans, std::size_t arm, std::size_t work);

// What the objects of one arm under one load take, when those of all its units are there.
struct StudySpace {
  std::string arm;
  std::string load;
  std::string pool;
  std::uint64_t objects = 0;
  Bytes data = {};
  Bytes raw = {};  // with replicas
};

struct StudyOutlook {
  StudyDocument document;
  std::optional<Time> length;         // of all cells; nothing: not limited in time
  std::vector<StudySpace> space;      // empty without a cluster
  std::vector<std::string> missing;   // why it would not start, or not get through
  std::vector<std::string> warnings;  // what would bend its figures
  Outlook findable;
};

bool is_timer(const StudyDocument& document, std::size_t work);

// Of all cells; nothing if one of them has no limit in time.
std::optional<Time> length_of_study(const StudyDocument& document, const StudyRunPlans& plans);

// How many metrics its runs have at least: p99.9 needs more operations than may come.
std::size_t metrics_of_plans(const StudyDocument& document, const StudyRunPlans& plans);

// Adds to the document's remarks in what OSDs of different arms differ. The value is the refusal of
// what makes a comparison unfair, without `force`.
Result<std::optional<Error>> compare_arms(StudyDocument& document, const StudyRunPlans& plans,
                                          bool force);

// Adds to the document's remarks what follows from objects that stay the same in all rounds.
void remark_on_kept_objects(StudyDocument& document, const StudyRunPlans& plans);

// All of it. `refusal`: why it would not begin, if that is known already; else the first reason
// that the cluster gives.
StudyOutlook draft_study(const StudyDocument& document, const StudyRunPlans& plans,
                         Outlook findable, const std::string& program,
                         std::optional<Error>& refusal);

}  // namespace radosload::study
