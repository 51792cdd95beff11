// Suites: lists of named runs that are asked for by one name, as a pattern is. Each step is a
// pattern in words, so that a suite says nothing that could not be typed.
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
  std::string pattern;         // as --pattern takes it; the keys named here are the suite's own
};

struct Suite {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view detail;   // what it is for, and what to know before trusting it
  Time warmup;               // of each step, unless --warmup and --time say otherwise
  Time time;
  std::vector<SuiteStep> steps;
};

// Lives as long as the program.
std::span<const Suite> suites();
const Suite* find_suite(std::string_view name);

}  // namespace radosload::plan
