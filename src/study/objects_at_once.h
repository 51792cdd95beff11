// How many objects of a study are in a pool at the same time. Those of a cell stay as long as a
// later cell can use them, so there are less than those of all cells together. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/schedule.h"

namespace radosload::study {

// What one unit of an arm needs under one load.
struct CellObjects {
  std::string pool;
  std::string kind;  // loads of an arm with equal kinds can work on the same objects
  std::uint64_t objects = 0;
  std::uint64_t fits = 0;  // the most objects of this size that the pool can take
  bool shared = true;      // false: they are gone after the cell
};

// By arm, then by load; nothing where a cell needs no objects, or where this is not known.
using StudyObjects = std::vector<std::vector<std::optional<CellObjects>>>;

struct ObjectsAtOnce {
  std::uint64_t objects = 0;
  std::uint64_t fit = 0;  // in the same proportion of sizes
};

// Of each pool, at the fullest moment.
std::map<std::string, ObjectsAtOnce> most_objects_at_once(const StudyPlan& plan,
                                                          const std::vector<StudyCell>& cells,
                                                          const StudyObjects& objects);

}  // namespace radosload::study
