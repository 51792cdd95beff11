#include "cli/commands/baseline_check.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/interrupts.h"
#include "cli/commands/baseline_runs.h"
#include "cli/commands/dry_run.h"
#include "cli/commands/file_rights.h"
#include "cli/options/options.h"
#include "cli/options/run_words.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "plan/options.h"
#include "prepare/preview.h"
#include "report/facts.h"
#include "run/series_runner.h"
#include "study/baseline_judge.h"
#include "views/baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

using study::GroupOutlook;

tl::unexpected<Error> cannot_check(const record::Baseline& baseline, std::string reason,
                                   std::string hint, Exit exit) {
  return fail({.attempt = "check the baseline",
               .subject = baseline.name,
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = exit});
}

// The connection as it is given now, because its files may have moved since the runs.
Status replace_connection(const ClusterOptions& given, RunPlan& plan) {
  RunPlan asked;
  asked.cluster = given;
  const RunPlan defaults;
  for (const plan::Option& option : plan::options()) {
    if (option.group != plan::Group::cluster || !option.recorded()) continue;
    const auto value = option.get(asked);
    if (!value || value == option.get(defaults)) continue;
    RADOSLOAD_TRY(plan::set_option(option, plan, *value));
  }
  return {};
}

Result<std::vector<RepeatedLoad>> loads_of(const record::Baseline& baseline,
                                           const std::vector<GroupOutlook>& groups,
                                           const BaselineCheck& asked) {
  std::vector<RepeatedLoad> loads;
  for (const GroupOutlook& outlook : groups) {
    RepeatedLoad load{.name = outlook.group.name,
                      .plan = study::plan_to_repeat(outlook.group, baseline.name),
                      .repeats = asked.repeats > 0 ? asked.repeats : outlook.group.runs.size()};
    RADOSLOAD_TRY(replace_connection(asked.cluster, load.plan));
    if (asked.require_clean && !needs_cluster(load.plan.target)) {
      return cannot_check(baseline,
                          "--require-clean needs a cluster: nothing can disturb a simulated one, "
                          "so its runs are not graded",
                          "leave out --require-clean", Exit::usage);
    }
    loads.push_back(std::move(load));
  }
  return loads;
}

// Overwriting data and running a command were permitted for the runs that were kept, perhaps long
// ago, and a run may come from another user's file.
Status check_permissions(const record::Baseline& baseline, const std::vector<RepeatedLoad>& loads) {
  for (const RepeatedLoad& load : loads) {
    const auto rights = rights_of(load.plan);
    if (rights.empty()) continue;
    return cannot_check(baseline,
                        fmt::format("its runs of {} have {}, which a check repeats only with a new "
                                    "permission",
                                    load.name, fmt::join(rights, " and ")),
                        "see with --dry-run what would be measured; to permit it, add --yes",
                        Exit::refused);
  }
  return {};
}

Result<Exit> preview_check(const record::Baseline& baseline, const std::vector<RepeatedLoad>& loads,
                           const std::string& format) {
  std::vector<record::SeriesStep> steps;
  for (const RepeatedRun& one : in_turns(loads)) {
    const RepeatedLoad& load = loads[one.load];
    record::SeriesStep step;
    step.name = one.text(loads);
    step.settings = {{"load", load.name}, {"run", std::to_string(one.number)}};
    step.plan = load.plan;
    steps.push_back(std::move(step));
  }
  auto series = run::new_series(std::move(steps), program_name);
  series.title = "baseline " + baseline.name;
  return preview_series(series, format);
}

std::string cluster_name(const record::Environment& place) {
  return place.fsid.empty() ? "no cluster" : "cluster " + place.fsid;
}

// What has changed since, found before anything is measured. Refuses another cluster, and what the
// runs themselves would refuse, but for an unhealthy cluster.
Result<std::vector<study::PlaceChange>> changes_of(const record::Baseline& baseline,
                                                   const std::vector<GroupOutlook>& groups,
                                                   const std::vector<RepeatedLoad>& loads,
                                                   bool force) {
  std::vector<study::PlaceChange> changes;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    // A run waits for PGs that peer, and refuses an unhealthy cluster by itself.
    RunPlan plan = loads[i].plan;
    plan.allow_unhealthy = true;
    RADOSLOAD_ASSIGN(const auto preview, prepare::preview(plan, program_name));
    const record::Environment& before = groups[i].group.runs.front().header.environment;
    const record::Environment& now = preview.header.environment;
    if (before.fsid != now.fsid && !force) {
      return cannot_check(baseline,
                          fmt::format("it was measured on {}, and this is {}", cluster_name(before),
                                      cluster_name(now)),
                          "name the cluster with --conf, or compare the two with --force",
                          Exit::refused);
    }
    for (study::PlaceChange& one : study::place_changes(before, now)) {
      if (std::find(changes.begin(), changes.end(), one) == changes.end()) {
        changes.push_back(std::move(one));
      }
    }
    if (preview.refusal) return fail(*preview.refusal);
  }
  return changes;
}

std::vector<std::string> ids_of(const std::vector<record::RunRecord>& runs) {
  std::vector<std::string> ids;
  ids.reserve(runs.size());
  for (const record::RunRecord& run : runs) ids.push_back(run.header.run_id);
  return ids;
}

views::GroupChecked judged_load(const GroupOutlook& outlook,
                                const std::vector<record::RunRecord>& now,
                                std::vector<std::string>& warnings) {
  const study::BaselineGroup& group = outlook.group;
  views::GroupChecked checked{
      .load = group.name,
      .where = report::where_text(group.plan, group.runs.front().header.environment),
      .runs_before = ids_of(group.runs),
      .runs_now = ids_of(now),
      .verdicts = {.rules = outlook.rules, .figures = {}, .contests = {}, .warnings = {}}};
  auto judged = study::judge_group(outlook, now);
  if (!judged) {
    warnings.push_back(fmt::format("{}: {}", group.name, one_line(judged.error())));
    return checked;
  }
  checked.verdicts.figures = std::move(judged->figures);
  checked.verdicts.contests = std::move(judged->contests);
  checked.verdicts.warnings = std::move(judged->unlike);
  checked.outcome = judged->outcome;
  return checked;
}

// Runs of the baseline itself that were kept although they were disturbed.
bool clean_base(const record::Baseline& baseline) {
  return std::all_of(baseline.runs.begin(), baseline.runs.end(),
                     [](const auto& run) { return run.grade.value == record::GradeValue::clean; });
}

Exit exit_of(const RepeatedRuns& measured, const views::BaselineChecked& checked,
             const record::Baseline& baseline, bool require_clean) {
  const bool clean = measured.all_clean && clean_base(baseline);
  const study::Outcome outcome = checked.outcome();
  if (measured.flawed || outcome == study::Outcome::none) return Exit::flawed;
  if (require_clean && !clean) return Exit::flawed;
  return outcome == study::Outcome::slower ? Exit::verdict : Exit::measured;
}

// Why a check that did not come to its end has no verdict, and where its runs are.
tl::unexpected<Error> without_verdict(const record::Baseline& baseline,
                                      const RepeatedRuns& measured) {
  const std::string kept =
      measured.measured == 0
          ? std::string("nothing was measured")
          : fmt::format(
                "{} of {} runs were measured and are saved: 'radosload list --label "
                "baseline={}' shows them",
                measured.measured, measured.planned, baseline.name);
  if (!measured.stopped) {
    return cannot_check(baseline, "interrupted; a verdict needs all runs", kept, Exit::interrupted);
  }
  Error error = *measured.stopped;
  error.hint += (error.hint.empty() ? "" : "\n  ") + kept;
  return fail(std::move(error));
}

}  // namespace

Result<Exit> check_baseline(const record::Baseline& baseline, const BaselineCheck& asked) {
  RADOSLOAD_ASSIGN(const auto groups, study::outlook_of_baseline(baseline));
  RADOSLOAD_ASSIGN(const auto loads, loads_of(baseline, groups, asked));
  if (asked.dry_run) return preview_check(baseline, loads, asked.format);
  if (!asked.yes) RADOSLOAD_TRY(check_permissions(baseline, loads));
  base::Interrupts interrupts;  // must exist before librados starts its threads
  views::BaselineChecked checked{.name = baseline.name, .kept = baseline.kept};
  RADOSLOAD_ASSIGN(checked.changes, changes_of(baseline, groups, loads, asked.force));
  const auto measured = [&]() -> Result<RepeatedRuns> {
    const auto terminal =
        make_terminal(asked.no_progress ? ProgressStyle::none : ProgressStyle::steps);
    for (const auto& change : checked.changes) terminal->note(views::change_text(change));
    run::OutputOptions output;
    output.program = program_name;
    RADOSLOAD_ASSIGN(output.store, open_store());
    return repeat_loads(loads, asked.require_clean, output, interrupts, *terminal);
  }();
  if (!measured) return fail(measured.error());
  if (!measured->complete()) return without_verdict(baseline, *measured);
  checked.warnings = measured->warnings;
  checked.versions_before = study::version_text(baseline.runs.front().header.environment);
  checked.versions_now = study::version_text(measured->environment);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    checked.groups.push_back(judged_load(groups[i], measured->runs[i], checked.warnings));
  }
  const Exit exit = exit_of(*measured, checked, baseline, asked.require_clean);
  if (asked.format == "json") return print_result(views::check_json(checked), exit);
  if (asked.format == "markdown") return print_result(views::check_markdown(checked), exit);
  return print_text(views::check_text(checked), exit);
}

}  // namespace radosload::cli
