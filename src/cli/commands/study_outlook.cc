#include "cli/commands/study_outlook.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cli/commands/dry_run.h"
#include "cli/commands/saved.h"
#include "cli/commands/study_saved.h"
#include "cli/options/options.h"
#include "cli/options/run_words.h"
#include "cli/output.h"
#include "cluster/admin.h"
#include "observe/osds.h"
#include "prepare/preview.h"
#include "record/study_store.h"
#include "run/series.h"
#include "study/fairness.h"
#include "views/study_outlook.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

using study::StudyDocument;

bool is_timer(const StudyDocument& document, std::size_t work) {
  return document.plan.works[work].what == study::Work::What::timer;
}

std::optional<Time> length_of_study(const StudyDocument& document, const StudyRunPlans& plans) {
  Time sum{0};
  for (const study::StudyCell& cell : document.cells) {
    if (is_timer(document, cell.work)) return std::nullopt;
    const auto arm = std::find_if(document.plan.arms.begin(), document.plan.arms.end(),
                                  [&](const study::Arm& one) { return one.name == cell.arm; });
    if (arm == document.plan.arms.end()) return std::nullopt;
    const auto place = static_cast<std::size_t>(arm - document.plan.arms.begin());
    const Time length = run::planned_length(plans[place][cell.work]);
    if (length == Time(0)) return std::nullopt;
    sum += length;
  }
  // A probe waits between its cells.
  if (document.plan.probe) return std::max(sum, document.plan.probe->for_time);
  return sum;
}

// How many metrics its runs have at least: p99.9 needs more operations than may come.
std::size_t metrics_of_plans(const StudyDocument& document, const StudyRunPlans& plans) {
  constexpr std::size_t of_one_kind = 5;  // IOPS, mean, deviation, p50, p99
  std::size_t metrics = 0;
  for (std::size_t work = 0; work < document.plan.works.size(); ++work) {
    const Pattern& pattern = plans.front()[work].pattern;
    const bool mixed = pattern.reads_data() && pattern.writes_data();
    const std::size_t of_run = mixed ? 1 + 2 * of_one_kind : of_one_kind;
    metrics += is_timer(document, work) ? 1 : of_run;
  }
  return metrics;
}

std::vector<std::string> loads_of(const study::StudyPlan& plan) {
  std::vector<std::string> loads;
  loads.reserve(plan.works.size());
  for (const study::Work& work : plan.works) loads.push_back(work.name);
  return loads;
}

// The newest study of the same name that has measured anything. What cannot be read is passed over:
// this is a convenience.
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

// Saved runs, or those of a series, by the pattern that they share with a load.
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
        if (is_timer(document, work) || !same) continue;
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

// ---- the cluster, as far as it is needed ----

constexpr std::size_t most_looks = 40;  // at the cluster: each opens a connection

// A cell of the arm's first unit; the other units have as much.
RunPlan plan_of_first_unit(const StudyDocument& document, std::size_t arm, RunPlan plan) {
  const auto& units = document.units[arm].units;
  if (const auto osd = units.empty() ? std::nullopt : study::osd_of_unit(units.front())) {
    plan.pins.osds = std::to_string(*osd);
  }
  if (plan.seed == 0) plan.seed = document.plan.seed;
  return plan;
}

void add_once(std::vector<std::string>& texts, std::string text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
}

struct Seen {
  views::StudyOutlook& outlook;
  std::optional<Error>& refusal;  // the first
  std::map<std::string, std::uint64_t> objects = {};
};

void say_missing(Seen& seen, Error error) {
  add_once(seen.outlook.missing, one_line(error));
  if (!seen.refusal) seen.refusal = std::move(error);
}

void look_at(const RunPlan& plan, const std::string& load, const study::ArmUnits& arm, Seen& seen) {
  auto preview = prepare::preview(plan, program_name);
  if (!preview) {
    say_missing(seen, std::move(preview).error());
    return;
  }
  for (const std::string& warning : preview->warnings) add_once(seen.outlook.warnings, warning);
  if (preview->refusal) say_missing(seen, *preview->refusal);
  if (!preview->space) return;
  const placement::SpacePlan& space = *preview->space;
  const auto units = arm.units.size();
  seen.outlook.space.push_back({.arm = arm.arm,
                                .load = load,
                                .pool = plan.pool,
                                .objects = space.demand.objects * units,
                                .data = Bytes{space.data.count * units},
                                .raw = Bytes{space.raw.count * units}});
  std::uint64_t& objects = seen.objects[plan.pool];
  const std::uint64_t before = objects;
  objects += space.demand.objects * units;
  if (preview->refusal || before > space.fits || objects <= space.fits) return;
  say_missing(seen,
              {.attempt = "run the study",
               .subject = "in pool " + plan.pool,
               .reason = fmt::format("the objects of all its cells together are {}, and {} fit",
                                     objects, space.fits),
               .hint = "lower --working-set, or measure fewer OSDs",
               .exit = Exit::refused});
}

void look_at_cluster(const StudyRunPlans& plans, Seen& seen) {
  const StudyDocument& document = seen.outlook.document;
  std::size_t looks = 0;
  for (std::size_t arm = 0; arm < document.units.size(); ++arm) {
    for (std::size_t work = 0; work < document.plan.works.size(); ++work) {
      const RunPlan& plan = plans[std::min(arm, plans.size() - 1)][work];
      if (is_timer(document, work) || !needs_cluster(plan.target)) continue;
      if (++looks > most_looks) {
        add_once(seen.outlook.warnings, "the space of further arms and loads was not looked at");
        return;
      }
      look_at(plan_of_first_unit(document, arm, plan), document.plan.works[work].name,
              document.units[arm], seen);
    }
  }
}

Exit print_outlook(const views::StudyOutlook& outlook, const std::string& format) {
  return format == "json" ? print_result(views::outlook_json(outlook))
                          : print_text(views::outlook_text(outlook));
}

}  // namespace

Result<std::optional<Error>> look_ahead(StudyDocument& document, const StudyRunPlans& plans,
                                        bool force) {
  // Phases pair each unit with itself.
  if (document.units.size() < 2 || !document.plan.phases.empty()) return std::nullopt;
  for (const auto& of_arm : plans) {
    if (!of_arm.front().pins.any()) return std::nullopt;
  }
  RADOSLOAD_ASSIGN(const auto admin, cluster::Admin::open(plans.front().front().cluster));
  RADOSLOAD_ASSIGN(const auto inventory, observe::fetch_osds(*admin));
  const auto fairness = study::fairness_of(document.units, inventory);
  document.remarks.insert(document.remarks.end(), fairness.differences.begin(),
                          fairness.differences.end());
  return study::refusal_of(fairness, force);
}

Result<study::Outlook> what_it_could_find(const StudyDocument& document, const StudyRunPlans& plans,
                                          const std::vector<std::string>& like) {
  std::optional<study::EarlierFigures> earlier;
  if (!like.empty()) {
    RADOSLOAD_ASSIGN(earlier, figures_like(like, document, plans));
  } else {
    earlier = study::figures_so_far(document, loads_of(document.plan));
    if (earlier->figures.empty()) earlier = last_of_that_name(document.plan);
  }
  return study::outlook_of(document, earlier, metrics_of_plans(document, plans));
}

Result<Exit> show_outlook(const StudyDocument& document, const StudyRunPlans& plans,
                          study::Outlook findable, const std::string& format,
                          std::optional<Error> refusal) {
  RADOSLOAD_TRY(check_preview_format(format));
  views::StudyOutlook outlook{.document = document,
                              .length = length_of_study(document, plans),
                              .space = {},
                              .missing = {},
                              .warnings = {},
                              .findable = std::move(findable)};
  if (refusal) outlook.missing.emplace_back("the arms are alike in too little");
  Seen seen{.outlook = outlook, .refusal = refusal};
  look_at_cluster(plans, seen);
  const Exit exit = print_outlook(outlook, format);
  if (refusal) return fail(*std::move(refusal));
  return exit;
}

Result<Exit> show_findable(const StudyDocument& document, const StudyRunPlans& plans,
                           study::Outlook findable, const std::string& format) {
  RADOSLOAD_TRY(check_preview_format(format));
  return print_outlook({.document = document,
                        .length = length_of_study(document, plans),
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
