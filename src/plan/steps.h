// From the options of a run to the runs that they describe: usually one, several when values are
// lists (qd=1:4:16 is three runs) or the pattern is a suite. Everything is parsed and validated
// here, before anything runs. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "plan/patterns.h"

namespace radosload::plan {

// Limit: more is probably a typo.
inline constexpr std::size_t most_steps = 100;

// The words as given.
struct Request {
  RunPlan plan;         // everything that takes no list
  std::string pattern;  // NAME[,key=value...]; the name of a suite
  // Options in the order given: the pattern's keys, "rate" and "clients".
  std::vector<Setting> options;
  bool names_time = false;    // --time, --ops or --bytes is given: replaces a suite's own length
  bool names_warmup = false;  // likewise --warmup
};

struct Step {
  std::string name;               // "qd=16 bs=4k", "IOPS rand read"; empty for a single run
  std::vector<Setting> settings;  // in which it differs from the others
  RunPlan plan;
};

struct Steps {
  std::string title;  // "randrw4k,qd=1:4:16"
  std::string suite;  // its name; empty: none
  std::vector<Step> steps;

  // A single run is not a series.
  bool series() const { return steps.size() > 1; }
};

// The cartesian product of all lists: the key given first changes slowest. The error names the
// value that cannot be read, or the step that is not valid.
Result<Steps> expand(const Request& request);

// Whether a colon in a value of this key stands between values of a list.
bool takes_list(std::string_view key);

}  // namespace radosload::plan
