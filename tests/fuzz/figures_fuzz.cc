// A CSV file of figures as anybody may have written it: an error names the file, and figures that
// were read are above 0, have names, and can be judged.
#include <string>

#include "fuzz/target.h"
#include "study/arm_figures.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace radosload;
  const auto figures = study::figures_of_csv(fuzz::text_of(data, size), "f.csv");
  if (!figures) {
    fuzz::require(figures.error().message().find("f.csv") != std::string::npos);
    return 0;
  }
  for (const study::ArmFigure& figure : *figures) {
    fuzz::require(figure.value > 0);
    fuzz::require(!figure.arm.empty() && !figure.unit.empty() && !figure.metric.empty());
  }
  const auto contests = study::judge_figures(*figures, {});
  if (!contests) return 0;
  for (const study::Contest& contest : *contests) fuzz::require(contest.base != contest.other);
  return 0;
}
