#include "cli/commands/study_findable.h"

#include <utility>

#include "cli/commands/dry_run.h"
#include "cli/commands/saved.h"
#include "cli/commands/study_saved.h"
#include "cli/commands/study_timers.h"
#include "cli/options/options.h"
#include "cli/options/run_words.h"
#include "cli/output.h"
#include "record/study_store.h"
#include "views/study_outlook.h"

namespace radosload::cli {

namespace {

using study::StudyDocument;

std::vector<std::string> loads_of(const study::StudyPlan& plan) {
  std::vector<std::string> loads;
  loads.reserve(plan.works.size());
  for (const study::Work& work : plan.works) loads.push_back(work.name);
  return loads;
}

// The newest study of the same name that has measured anything. Unreadable documents are skipped,
// because this is only a convenience.
std::optional<study::EarlierFigures> last_of_that_name(const study::StudyPlan& plan) {
  const auto runs = open_store();
  if (!runs) return std::nullopt;
  const auto store = record::StudyStore::beside(*runs);
  const auto names = store ? store->list() : fail(store.error());
  if (!names) return std::nullopt;
  for (const std::string& name : *names) {
    const auto document = load_study_document(store->document_path(name));
    if (!document || document->plan.name != plan.name) continue;
    auto figures = study::figures_so_far(*document, loads_of(plan));
    if (!figures.figures.empty()) return figures;
  }
  return std::nullopt;
}

tl::unexpected<Error> nothing_alike(const std::string& name) {
  return fail({.attempt = "go by the scatter of",
               .subject = name,
               .reason = "it has no figures of a load of this study",
               .hint = "name runs of the same patterns, or a study with loads of the same names",
               .exit = Exit::usage});
}

// The figures of saved runs or series that have the same pattern as a load of the study.
Result<study::EarlierFigures> figures_of_runs_named(const std::vector<std::string>& names,
                                                    const StudyDocument& document,
                                                    const StudyRunPlans& plans) {
  std::vector<std::pair<std::string, record::RunRecord>> of_loads;
  for (const std::string& name : names) {
    std::vector<record::RunRecord> runs;
    RADOSLOAD_TRY(add_saved(name, runs));
    const std::size_t before = of_loads.size();
    for (const record::RunRecord& run : runs) {
      for (std::size_t work = 0; work < document.plan.works.size(); ++work) {
        const bool same = run.header.plan.pattern.name == plans.front()[work].pattern.name;
        if (study::is_timer(document, work) || !same) continue;
        of_loads.emplace_back(document.plan.works[work].name, run);
      }
    }
    if (of_loads.size() == before) return nothing_alike(name);
  }
  return study::figures_of_saved(of_loads);
}

Result<study::EarlierFigures> figures_like(const std::vector<std::string>& like,
                                           const StudyDocument& document,
                                           const StudyRunPlans& plans) {
  if (like.size() == 1) {
    if (const auto path = study_named(like.front())) {
      RADOSLOAD_ASSIGN(const auto other, load_study_document(*path));
      auto figures = study::figures_so_far(other, loads_of(document.plan));
      if (figures.figures.empty()) return nothing_alike(like.front());
      return figures;
    }
  }
  return figures_of_runs_named(like, document, plans);
}

Exit print_outlook(const study::StudyOutlook& outlook, const std::string& format) {
  return format == "json" ? print_result(views::outlook_json(outlook))
                          : print_text(views::outlook_text(outlook));
}

}  // namespace

Result<study::Outlook> what_it_could_find(const StudyDocument& document, const StudyRunPlans& plans,
                                          const std::vector<std::string>& like) {
  std::optional<study::EarlierFigures> earlier;
  if (!like.empty()) {
    RADOSLOAD_ASSIGN(earlier, figures_like(like, document, plans));
  } else {
    earlier = study::figures_so_far(document, loads_of(document.plan));
    if (earlier->figures.empty()) earlier = last_of_that_name(document.plan);
  }
  return study::outlook_of(document, earlier, study::metrics_of_plans(document, plans));
}

Result<Exit> show_outlook(const StudyDocument& document, const StudyRunPlans& plans,
                          study::Outlook findable, const std::string& format,
                          std::optional<Error> refusal) {
  RADOSLOAD_TRY(check_preview_format(format));
  study::StudyOutlook outlook =
      study::draft_study(document, plans, std::move(findable), program_name, refusal);
  for (Error& refused : refused_timers(document, plans)) {
    outlook.missing.push_back(one_line(refused));
    if (!refusal) refusal = std::move(refused);
  }
  const Exit exit = print_outlook(outlook, format);
  if (refusal) return fail(*std::move(refusal));
  return exit;
}

Result<Exit> show_findable(const StudyDocument& document, const StudyRunPlans& plans,
                           study::Outlook findable, const std::string& format) {
  RADOSLOAD_TRY(check_preview_format(format));
  return print_outlook({.document = document,
                        .length = study::length_of_study(document, plans),
                        .space = {},
                        .missing = {},
                        .warnings = {},
                        .findable = std::move(findable)},
                       format);
}

void tell_outlook(const study::Outlook& findable) {
  for (const std::string& line : views::findable_lines(findable)) warn(line);
}

}  // namespace radosload::cli
