#include "study/study_draft.h"

#include <algorithm>
#include <utility>

#include "cluster/admin.h"
#include "observe/osds.h"
#include "prepare/preview.h"
#include "run/series_runner.h"
#include "study/fairness.h"
#include "study/objects_at_once.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

constexpr std::size_t most_previews = 40;  // each opens a connection

// A cell of the arm's first unit; the other units have as much.
RunPlan plan_of_first_unit(const StudyDocument& document, std::size_t arm, RunPlan plan) {
  const auto& units = document.units[arm].units;
  if (const auto osd = units.empty() ? std::nullopt : osd_of_unit(units.front())) {
    plan.pins.osds = std::to_string(*osd);
  }
  if (plan.seed == 0) plan.seed = document.plan.seed;
  return plan;
}

void add_once(std::vector<std::string>& texts, std::string text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
}

struct Seen {
  StudyOutlook& outlook;
  std::optional<Error>& refusal;  // the first
  const std::string& program;
  StudyObjects objects = {};
};

void say_missing(Seen& seen, Error error) {
  add_once(seen.outlook.missing, one_line(error));
  if (!seen.refusal) seen.refusal = std::move(error);
}

void inspect_load(const RunPlan& plan, std::size_t arm, std::size_t work, Seen& seen) {
  auto preview = prepare::preview(plan, seen.program);
  if (!preview) {
    say_missing(seen, std::move(preview).error());
    return;
  }
  for (const std::string& warning : preview->warnings) add_once(seen.outlook.warnings, warning);
  if (preview->refusal) say_missing(seen, *preview->refusal);
  if (!preview->space) return;
  const placement::SpacePlan& space = *preview->space;
  const StudyDocument& document = seen.outlook.document;
  const auto units = document.units[arm].units.size();
  seen.outlook.space.push_back({.arm = document.units[arm].arm,
                                .load = document.plan.works[work].name,
                                .pool = plan.pool,
                                .objects = space.demand.objects * units,
                                .data = Bytes{space.data.count * units},
                                .raw = Bytes{space.raw.count * units}});
  if (preview->refusal) return;
  const workload::Layout& layout = preview->layout;
  seen.objects[arm][work] = {
      .pool = plan.pool,
      .kind = fmt::format("{} of {}, prefill {}", space.demand.objects,
                          space.demand.object_size.count, static_cast<int>(layout.prefill)),
      .objects = space.demand.objects,
      .fits = space.fits,
      .shared = !layout.finite && layout.prefill != workload::Prefill::nothing};
}

void check_room(Seen& seen) {
  const StudyDocument& document = seen.outlook.document;
  for (const auto& [pool, most] :
       most_objects_at_once(document.plan, document.cells, seen.objects)) {
    if (most.objects <= most.fit) continue;
    say_missing(seen, {.attempt = "run the study",
                       .subject = "in pool " + pool,
                       .reason = fmt::format("it needs {} objects at the same time, and {} fit",
                                             most.objects, most.fit),
                       .hint = "lower --working-set, or measure fewer OSDs",
                       .exit = Exit::refused});
  }
}

void inspect_cluster(const StudyRunPlans& plans, Seen& seen) {
  const StudyDocument& document = seen.outlook.document;
  seen.objects.assign(document.units.size(), {document.plan.works.size(), std::nullopt});
  std::size_t previews = 0;
  for (std::size_t arm = 0; arm < document.units.size(); ++arm) {
    for (std::size_t work = 0; work < document.plan.works.size(); ++work) {
      const RunPlan& plan = plan_of(plans, arm, work);
      if (is_timer(document, work) || !needs_cluster(plan.target)) continue;
      if (++previews > most_previews) {
        add_once(seen.outlook.warnings, "the space of further arms and loads was not looked at");
        return;
      }
      inspect_load(plan_of_first_unit(document, arm, plan), arm, work, seen);
    }
  }
}

}  // namespace

const RunPlan& plan_of(const StudyRunPlans& plans, std::size_t arm, std::size_t work) {
  return plans[std::min(arm, plans.size() - 1)][work];
}

bool is_timer(const StudyDocument& document, std::size_t work) {
  return document.plan.works[work].what == Work::What::timer;
}

std::optional<Time> length_of_study(const StudyDocument& document, const StudyRunPlans& plans) {
  Time sum{0};
  for (const StudyCell& cell : document.cells) {
    if (is_timer(document, cell.work)) return std::nullopt;
    const auto arm = std::find_if(document.plan.arms.begin(), document.plan.arms.end(),
                                  [&](const Arm& one) { return one.name == cell.arm; });
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

Result<std::optional<Error>> compare_arms(StudyDocument& document, const StudyRunPlans& plans,
                                          bool force) {
  // Phases pair each unit with itself.
  if (document.units.size() < 2 || !document.plan.phases.empty()) return std::nullopt;
  for (const auto& of_arm : plans) {
    if (!of_arm.front().pins.any()) return std::nullopt;
  }
  RADOSLOAD_ASSIGN(const auto admin, cluster::Admin::open(plans.front().front().cluster));
  RADOSLOAD_ASSIGN(const auto inventory, observe::fetch_osds(*admin));
  const auto fairness = fairness_of(document.units, inventory);
  document.remarks.insert(document.remarks.end(), fairness.differences.begin(),
                          fairness.differences.end());
  return refusal_of(fairness, force);
}

void remark_on_kept_objects(StudyDocument& document, const StudyRunPlans& plans) {
  if (!document.plan.keep_objects || document.plan.rounds < 2) return;
  const auto places_objects = [&](std::size_t work) {
    const RunPlan& plan = plans.front()[work];
    return !is_timer(document, work) && needs_cluster(plan.target) && plan.reuse.empty();
  };
  for (std::size_t work = 0; work < document.plan.works.size(); ++work) {
    if (!places_objects(work)) continue;
    document.remarks.emplace_back(
        "keep-objects: all rounds work on the same objects, so where these lie is part of what "
        "differs between the arms");
    return;
  }
}

StudyOutlook draft_study(const StudyDocument& document, const StudyRunPlans& plans,
                         Outlook findable, const std::string& program,
                         std::optional<Error>& refusal) {
  StudyOutlook outlook{.document = document,
                       .length = length_of_study(document, plans),
                       .space = {},
                       .missing = {},
                       .warnings = {},
                       .findable = std::move(findable)};
  if (refusal) outlook.missing.emplace_back("the arms are alike in too little");
  Seen seen{.outlook = outlook, .refusal = refusal, .program = program};
  inspect_cluster(plans, seen);
  check_room(seen);
  return outlook;
}

}  // namespace radosload::study
