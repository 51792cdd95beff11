#include "views/study_text.h"

#include <utility>

#include "radosload/printable.h"

#include "report/layout.h"
#include "study/cell_figures.h"

#include <fmt/format.h>

namespace radosload::views {

namespace {

constexpr std::string_view margin = "  ";

Result<Verdicts> judged(const study::StudyDocument& document, study::Counted counted) {
  RADOSLOAD_ASSIGN(auto found, study::judge_study(document, counted));
  return Verdicts{.rules = std::move(found.rules),
                  .figures = std::move(found.figures),
                  .contests = std::move(found.contests),
                  .warnings = {}};
}

std::string name_of_study(const study::StudyDocument& document) {
  const auto& plan = document.plan;
  return plan.question.empty() ? plan.name : fmt::format("{}: {}", plan.name, plan.question);
}

std::vector<std::string> progress_lines(const study::StudyDocument& document) {
  const study::StudyTally tally = study::tally_of(document);
  std::vector<std::string> lines = {
      fmt::format("study {}, begun {}, seed {}", document.id, document.started, document.plan.seed),
      fmt::format("{} of {} measured, {}", tally.measured, report::counted(tally.cells, "cell"),
                  tally.repeats == 0 ? "none repeated"
                                     : fmt::format("{} {} left out", tally.repeats,
                                                   tally.repeats == 1 ? "try" : "tries"))};
  if (tally.contaminated > 0) {
    lines.push_back(fmt::format("{} contaminated: the verdicts are shown with and without them",
                                report::counted(tally.contaminated, "cell")));
  }
  if (tally.given_up > 0) {
    lines.push_back(
        fmt::format("{} given up: every attempt was void ('radosload report {} --json' has the "
                    "reasons)",
                    report::counted(tally.given_up, "cell"), document.id));
  }
  for (const std::string& remark : document.remarks) lines.push_back(remark);
  return lines;
}

template <typename Render>
std::string verdict_part(const Result<Verdicts>& verdicts, const Render& render) {
  return verdicts ? render(*verdicts)
                  : fmt::format("{}no verdict yet: {}\n", margin, one_line(verdicts.error()));
}

// The pool of all arms; empty when they differ.
std::string common_pool(const study::StudyPlan& plan) {
  std::string common;
  for (const study::Arm& arm : plan.arms) {
    for (std::size_t i = 0; i + 1 < arm.options.size(); ++i) {
      if (arm.options[i] != "--pool") continue;
      if (!common.empty() && common != arm.options[i + 1]) return {};
      common = arm.options[i + 1];
    }
  }
  return common;
}

}  // namespace

report::ListRow study_list_row(const study::StudyDocument& document, StudyProcess process) {
  const study::StudyTally tally = study::tally_of(document);
  report::ListRow row{.kind = report::Saved::study,
                      .id = document.id,
                      .started = document.started,
                      .pool = common_pool(document.plan),
                      .pattern = document.plan.name,
                      .errors = tally.given_up,
                      .steps = tally.cells,
                      .steps_done = tally.measured + tally.given_up,
                      .labels = {{"study", document.plan.name}}};
  for (const study::CellTry& one : document.tries) {
    row.made_of.insert(row.made_of.end(), one.runs.begin(), one.runs.end());
  }
  row.status = "open";
  if (row.steps_done == row.steps) {
    row.status = "complete";
  } else if (process == StudyProcess::runs) {
    row.status = "running";
  } else if (process == StudyProcess::gone) {
    row.status = "cut off";
  }
  return row;
}

StudyShown study_shown(study::StudyDocument document, std::string saved_as) {
  StudyShown shown{.document = std::move(document),
                   .saved_as = std::move(saved_as),
                   .all = Verdicts{},
                   .without_contaminated = {}};
  shown.all = judged(shown.document, study::Counted::all);
  if (study::tally_of(shown.document).contaminated > 0) {
    shown.without_contaminated = judged(shown.document, study::Counted::without_contaminated);
  }
  return shown;
}

std::string study_text(const StudyShown& shown) {
  std::string text = printable(name_of_study(shown.document)) + "\n";
  for (const std::string& line : progress_lines(shown.document)) {
    text += fmt::format("{}{}\n", margin, printable(line));
  }
  text += "\n" + verdict_part(shown.all, verdicts_text);
  if (shown.without_contaminated) {
    text += "\nWithout the contaminated cells:\n\n" +
            verdict_part(*shown.without_contaminated, verdicts_text);
  }
  if (!shown.saved_as.empty()) text += fmt::format("\nsaved as {}\n", printable(shown.saved_as));
  return text;
}

std::string study_markdown(const StudyShown& shown) {
  std::string text = fmt::format("## {}\n\n", printable(name_of_study(shown.document)));
  for (const std::string& line : progress_lines(shown.document)) {
    text += fmt::format("- {}\n", printable(line));
  }
  text += "\n" + verdict_part(shown.all, verdicts_markdown);
  if (shown.without_contaminated) {
    text += "\n### Without the contaminated cells\n\n" +
            verdict_part(*shown.without_contaminated, verdicts_markdown);
  }
  return text;
}

}  // namespace radosload::views
