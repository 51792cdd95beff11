#include "cli/commands/study_page.h"

#include <cstddef>
#include <utility>

#include "cli/commands/saved.h"
#include "html/comparison_page.h"
#include "plan/command.h"
#include "report/layout.h"
#include "study/cell_figures.h"
#include "views/study_text.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

// The runs of the tries that count, without timings and without runs that were removed from the
// store.
std::vector<study::ArmRun> runs_of_study(const study::StudyDocument& document,
                                         std::size_t& missing) {
  std::vector<study::ArmRun> runs;
  const auto states = study::cell_states(document);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!states[i].counts) continue;
    const study::StudyCell& cell = document.cells[i];
    for (const std::string& id : document.tries[*states[i].counts].runs) {
      auto found = load_run(id);
      if (!found) {
        ++missing;
        continue;
      }
      const std::string& arm = document.plan.phases.empty() ? cell.arm : cell.phase;
      runs.push_back({.arm = arm, .record = std::move(found->record)});
    }
  }
  return runs;
}

// What the reader must know besides the verdicts.
std::vector<std::string> study_warnings(const study::StudyDocument& document, std::size_t missing) {
  std::vector<std::string> warnings = document.remarks;
  const study::StudyTally tally = study::tally_of(document);
  const std::size_t left = tally.cells - tally.measured - tally.given_up;
  if (left > 0) {
    warnings.push_back(fmt::format("the study is not complete: {} of {} measured", tally.measured,
                                   report::counted(tally.cells, "cell")));
  }
  if (tally.contaminated > 0) {
    warnings.push_back(report::counted(tally.contaminated, "cell") + " contaminated");
  }
  if (tally.given_up > 0) {
    warnings.push_back(report::counted(tally.given_up, "cell") +
                       " given up: every attempt was void");
  }
  if (missing > 0) {
    warnings.push_back(fmt::format("{} of the study: not in the store, or a timing",
                                   report::counted(missing, "measurement")));
  }
  return warnings;
}

}  // namespace

Status write_study_page(study::StudyDocument document, const std::string& name,
                        const HtmlFile& page) {
  auto shown = views::study_shown(std::move(document), "");
  if (!shown.all) return fail(std::move(shown.all).error());
  std::size_t missing = 0;
  html::ComparisonPage comparison{
      .verdicts = *std::move(shown.all),
      .runs = runs_of_study(shown.document, missing),
      .command = fmt::format("radosload report {} -o {}", plan::shell_word(name),
                             plan::shell_word(page.path)),
      .question = shown.document.plan.question};
  comparison.verdicts.warnings = study_warnings(shown.document, missing);
  if (shown.without_contaminated && *shown.without_contaminated) {
    comparison.without_contaminated = std::move((*shown.without_contaminated)->contests);
  }
  return write_html(page, html::page(comparison));
}

}  // namespace radosload::cli
