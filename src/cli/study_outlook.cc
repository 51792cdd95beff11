#include "cli/study_outlook.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/output.h"
#include "run/series.h"
#include "views/study_text.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

std::optional<Time> length_of_study(const study::StudyDocument& document,
                                    const StudyRunPlans& plans) {
  Time sum{0};
  for (const study::StudyCell& cell : document.cells) {
    if (document.plan.works[cell.work].what == study::Work::What::timer) return std::nullopt;
    const auto arm = std::find_if(
        document.plan.arms.begin(), document.plan.arms.end(),
        [&](const study::Arm& one) { return one.name == cell.arm; });
    if (arm == document.plan.arms.end()) return std::nullopt;
    const auto place = static_cast<std::size_t>(arm - document.plan.arms.begin());
    const Time length = run::planned_length(plans[place][cell.work]);
    if (length == Time(0)) return std::nullopt;
    sum += length;
  }
  return sum;
}

// What the statistics will not be able to say, however the figures come out.
std::vector<std::string> not_assessable(const study::StudyDocument& document) {
  constexpr std::size_t enough_units = 4;
  std::vector<std::string> lines;
  const bool paired = !document.plan.phases.empty();
  std::size_t fewest = document.units.empty() ? 0 : document.units.front().units.size();
  for (const study::ArmUnits& arm : document.units) fewest = std::min(fewest, arm.units.size());
  if (fewest < 2) {
    lines.push_back(fmt::format(
        "scope this-kind is not assessable: an arm has 1 {}, and 2 are needed; these very ones can "
        "be compared",
        paired ? "unit" : "OSD, pool or image"));
  } else if (fewest < enough_units) {
    lines.push_back(fmt::format(
        "scope this-kind needs an assumption (log-normal figures) with {} units in an arm; with {} "
        "it does not",
        fewest, enough_units));
  }
  if (document.plan.rounds < 2 && !document.plan.probe) {
    lines.emplace_back("scope these-osds is not assessable with 1 round; give 5 or more");
  }
  return lines;
}

}  // namespace

Status look_ahead(study::StudyDocument& document, const StudyRunPlans& plans, bool force,
                  bool dry_run) {
  static_cast<void>(document);
  static_cast<void>(plans);
  static_cast<void>(force);
  static_cast<void>(dry_run);
  return {};
}

Result<Exit> show_outlook(const study::StudyDocument& document, const StudyRunPlans& plans) {
  views::StudyOutlook outlook{.document = document,
                              .length = length_of_study(document, plans),
                              .space = {},
                              .lacking = not_assessable(document)};
  return print_text(views::outlook_text(outlook));
}

}  // namespace radosload::cli
