// The order in which a study visits its cells: in each round every unit of every arm once under
// every load. Each round has an order of its own, drawn from the seed, so that a drift over time
// does not always hit the same arm. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "study/study_plan.h"

namespace radosload::study {

// What an arm consists of: "osd.3", or the whole pool, image or target.
struct ArmUnits {
  std::string arm;
  std::vector<std::string> units;
  bool operator==(const ArmUnits&) const = default;
};

// One measurement.
struct StudyCell {
  std::string phase;        // empty: the study has none
  std::uint32_t round = 1;  // of a probe, the hour
  std::string arm;
  std::string unit;
  std::size_t work = 0;  // in StudyPlan::works
  Time at{0};            // of a probe: not before, from the start of the study
  bool operator==(const StudyCell&) const = default;
};

inline constexpr std::size_t most_study_cells = 20'000;

// Two arms are visited in turns A B B A or B A A B, drawn for each four cells, if the order is
// abba: a steady drift then weighs on both alike, and so does what disturbs every few cells. The
// same seed gives the same schedule. Fails if there are too many cells, or none.
Result<std::vector<StudyCell>> schedule(const StudyPlan& plan, const std::vector<ArmUnits>& units,
                                        std::uint64_t seed);

// Whether two cells may work on the same objects: those of one arm in one round, unless the plan
// keeps them for all rounds.
bool share_objects(const StudyPlan& plan, const StudyCell& one, const StudyCell& other);

// The seed of the run of a cell, so that no cell reads the very blocks that the one before it
// brought into the caches. A repeated cell gets the same. Never 0.
std::uint64_t seed_of_cell(std::uint64_t seed, std::size_t cell);

}  // namespace radosload::study
