// The page of a comparison of arms: the verdict first, then what it rests on. Pure.
#pragma once

#include <string>
#include <vector>

#include "study/run_figures.h"
#include "views/verdicts.h"

namespace radosload::html {

struct ComparisonPage {
  views::Verdicts verdicts;
  // In the order of the arms; none when the figures came from a file. An arm that is a part of each
  // run (an OSD) has no run of its own: their `arm` is empty.
  std::vector<study::ArmRun> runs = {};
  std::string command = {};   // that gives the page again
  std::string question = {};  // of a study
  bool withheld = false;      // unlike plans, without --force
  // The same without contaminated runs, where there are any.
  std::vector<study::Contest> without_contaminated = {};
};

std::string page(const ComparisonPage& comparison);

}  // namespace radosload::html
