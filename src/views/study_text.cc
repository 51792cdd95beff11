#include "views/study_text.h"

#include <algorithm>
#include <utility>

#include "radosload/printable.h"

#include "report/layout.h"
#include "study/cell_figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
        fmt::format("{} given up: no try was worth anything ('radosload report {} --json' has the "
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

}  // namespace

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

std::string outlook_text(const StudyOutlook& outlook) {
  const study::StudyDocument& document = outlook.document;
  const study::StudyPlan& plan = document.plan;
  std::string text = printable(name_of_study(document)) + "\n";
  const auto add = [&text](const std::string& line) {
    text += fmt::format("{}{}\n", margin, printable(line));
  };
  for (const study::ArmUnits& arm : document.units) {
    add(fmt::format("arm {}: {}", arm.arm, fmt::join(arm.units, ", ")));
  }
  std::vector<std::string> works;
  for (const study::Work& work : plan.works) works.push_back(work.name);
  add("each cell: " + report::joined(works, " or "));
  const std::string rounds = plan.probe
                                 ? fmt::format("every {} for {}", option_text(plan.probe->every),
                                               option_text(plan.probe->for_time))
                                 : report::counted(plan.rounds, "round");
  add(fmt::format("{}, {}, seed {}", report::counted(document.cells.size(), "cell"), rounds,
                  plan.seed));
  for (const study::Phase& phase : plan.phases) {
    add(fmt::format("phase {}: {}", phase.name,
                    phase.command.empty() ? "reached by hand" : "reached by: " + phase.command));
  }
  add(outlook.length ? fmt::format("measuring takes {}, plus the time for writing the objects",
                                   human_text(*outlook.length))
                     : "how long it takes is not known: its runs end by operations or bytes");
  for (const std::string& line : outlook.space) add(line);
  for (const std::string& line : document.remarks) add(line);
  for (const std::string& line : outlook.lacking) add(line);
  constexpr std::size_t most_shown = 20;
  text += "\nthe order of its cells:\n";
  for (std::size_t i = 0; i < std::min(document.cells.size(), most_shown); ++i) {
    const study::StudyCell& cell = document.cells[i];
    add(fmt::format("{:>4}  {}round {}  {}  {}  {}", i + 1,
                    cell.phase.empty() ? "" : cell.phase + "  ", cell.round, cell.arm, cell.unit,
                    plan.works[cell.work].name));
  }
  if (document.cells.size() > most_shown) {
    add(fmt::format("      and {} more", document.cells.size() - most_shown));
  }
  return text;
}

}  // namespace radosload::views
