// Suites: lists of runs under one name, which --pattern takes like a pattern. Each step is the text
// of a pattern, so a suite does nothing that a user could not type.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/units.h"

#include "plan/patterns.h"

namespace radosload::plan {

struct SuiteStep {
  std::vector<Setting> place;  // where it stands in the suite's table: test=IOPS, op=read, ...
  std::string pattern;  // as --pattern takes it; the user cannot change keys that are named here
};

struct Suite {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view detail;   // what it is for, and what to know before trusting it
  Time warmup;               // of each step, unless --warmup or --time is given
  Time time;
  std::vector<SuiteStep> steps;
  bool for_drives = false;  // its steps mean something only with --drive
};

// Lives as long as the program.
std::span<const Suite> suites();
const Suite* find_suite(std::string_view name);

}  // namespace radosload::plan
