#include "study/baseline_groups.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "plan/differences.h"
#include "plan/plan_codec.h"
#include "stats/foresight.h"
#include "study/run_figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::study {

using record::RunRecord;

namespace {

bool same_load(const RunPlan& one, const RunPlan& other) {
  return plan::differences({&one, &other}).empty();
}

// Adds to each name the options in which groups of that name differ.
void distinguish(std::vector<BaselineGroup>& groups) {
  std::map<std::string, std::vector<BaselineGroup*>> named;
  for (BaselineGroup& group : groups) named[group.name].push_back(&group);
  for (const auto& [name, alike] : named) {
    if (alike.size() < 2) continue;
    std::vector<const RunPlan*> plans;
    plans.reserve(alike.size());
    for (const BaselineGroup* const group : alike) plans.push_back(&group->plan);
    for (const plan::Difference& one : plan::differences(plans)) {
      for (std::size_t i = 0; i < alike.size(); ++i) {
        alike[i]->name += fmt::format(" {}={}", one.option, one.values[i]);
      }
    }
  }
}

std::string grade_reason(const record::Grade& grade) {
  const std::string name = grade.value == record::GradeValue::unwatched
                               ? "not graded"
                               : std::string(record::grade_name(grade.value));
  return grade.reasons.empty() ? name : fmt::format("{}: {}", name, fmt::join(grade.reasons, "; "));
}

std::vector<std::string> objections_to_run(const RunRecord& run) {
  std::vector<std::string> found;
  // Nothing can disturb a simulated cluster, so its runs are not graded.
  const bool good =
      run.grade.value == record::GradeValue::clean ||
      (run.grade.value == record::GradeValue::unwatched && !needs_cluster(run.header.plan.target));
  if (!good) found.push_back(grade_reason(run.grade));
  if (run.status != record::RunStatus::complete) {
    found.emplace_back(record::status_name(run.status));
  }
  const auto& flow = run.measured_flow;
  const std::uint64_t bad = flow.failed + flow.cancelled + run.unfinished;
  if (bad > 0) found.push_back(fmt::format("{} operations failed or were not answered", bad));
  return found;
}

tl::unexpected<Error> cannot_keep(std::string reason, std::string hint) {
  return fail({.attempt = "keep a baseline",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::refused});
}

}  // namespace

std::vector<BaselineGroup> baseline_groups(const std::vector<RunRecord>& runs) {
  std::vector<BaselineGroup> groups;
  for (const RunRecord& run : runs) {
    const RunPlan& plan = run.header.plan;
    auto found = std::find_if(groups.begin(), groups.end(), [&](const BaselineGroup& group) {
      return same_load(group.plan, plan);
    });
    if (found == groups.end()) {
      groups.push_back({.name = plan.pattern.name, .plan = plan, .runs = {}});
      found = std::prev(groups.end());
    }
    found->runs.push_back(run);
  }
  for (BaselineGroup& group : groups) {
    std::stable_sort(group.runs.begin(), group.runs.end(), [](const auto& a, const auto& b) {
      return std::tie(a.header.started, a.header.run_id) <
             std::tie(b.header.started, b.header.run_id);
    });
  }
  distinguish(groups);
  return groups;
}

std::vector<std::string> objections_to(const std::vector<RunRecord>& runs) {
  std::vector<std::string> found;
  std::set<std::string> versions;
  for (const RunRecord& run : runs) {
    for (const std::string& one : objections_to_run(run)) {
      found.push_back(fmt::format("{}: {}", run.header.run_id, one));
    }
    versions.insert(version_text(run.header.environment));
  }
  if (versions.size() > 1) {
    found.push_back(
        fmt::format("the runs are of different Ceph versions: {}", fmt::join(versions, " / ")));
  }
  for (const BaselineGroup& group : baseline_groups(runs)) {
    if (group.runs.size() > 1) continue;
    found.push_back(fmt::format("{}: there is 1 run, and no verdict is possible with fewer than 2",
                                group.name));
  }
  return found;
}

Status check_repeatable(const std::vector<RunRecord>& runs) {
  if (runs.empty()) return cannot_keep("there are no measured runs", "name at least two runs");
  std::set<std::string> clusters;
  for (const RunRecord& run : runs) {
    const std::string& id = run.header.run_id;
    clusters.insert(run.header.environment.fsid);
    if (run.header.plan.session.any() || !run.members.empty()) {
      return cannot_keep(id + " is the record of a session, which one process cannot measure again",
                         "leave it out; 'radosload compare' compares such runs");
    }
    if (auto runnable = plan::check_runnable(run.header.plan); !runnable) {
      return cannot_keep(
          fmt::format("the plan of {} cannot be run again: {}", id, runnable.error().reason),
          "leave it out");
    }
  }
  if (clusters.size() < 2) return {};
  return cannot_keep(
      fmt::format("the runs are of {} clusters: {}", clusters.size(), fmt::join(clusters, ", ")),
      "keep a baseline for each cluster");
}

RunPlan plan_to_repeat(const BaselineGroup& group, const std::string& baseline) {
  RunPlan plan = group.plan;
  plan.seed = 0;
  plan.keep = false;
  plan.reuse.clear();
  plan.labels = {{"baseline", baseline}};
  return plan;
}

namespace {

// The metrics of the group's runs, in the order of the verdicts.
std::vector<std::string> metrics_of(const BaselineGroup& group) {
  std::vector<ArmRun> runs;
  runs.reserve(group.runs.size());
  for (const RunRecord& run : group.runs) runs.push_back({.arm = "baseline", .record = run});
  return metrics_in(figures_of_runs(runs));
}

// The kind with the most operations: of a mix the one that decides its rate.
std::string main_kind(const BaselineGroup& group) {
  std::map<OpKind, std::uint64_t> counts;
  for (const RunRecord& run : group.runs) {
    for (const record::Cell& cell : run.kinds) counts[cell.kind] += cell.ops();
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? "" : std::string(op_kind_name(most->first));
}

bool holds(const std::vector<std::string>& metrics, const std::string& metric) {
  return std::find(metrics.begin(), metrics.end(), metric) != metrics.end();
}

}  // namespace

Result<stats::ArmRules> rules_of_group(const record::Baseline& baseline, const BaselineGroup& group,
                                       std::size_t groups) {
  stats::ArmRules rules{.level = stats::level_of_first(baseline.level, groups),
                        .threshold = baseline.threshold};
  if (baseline.primary == "none") return rules;
  const auto metrics = metrics_of(group);
  // The rate of an open loop is given, so only its latencies can become worse.
  const bool open = group.plan.arrival.law != Arrival::Law::closed;
  const std::string wanted =
      baseline.primary.empty() ? (open ? "mean_us" : "iops") : baseline.primary;
  const std::string of_kind = fmt::format("{} {}", main_kind(group), wanted);
  rules.primary = holds(metrics, wanted) ? wanted : of_kind;
  if (holds(metrics, rules.primary)) return rules;
  if (baseline.primary.empty()) {
    rules.primary.clear();
    return rules;
  }
  return fail({.attempt = "judge by the metric",
               .subject = wanted,
               .reason = fmt::format("the runs of {} have no figures of it", group.name),
               .hint = fmt::format("use none, or one of: {}", fmt::join(metrics, ", ")),
               .exit = Exit::usage});
}

}  // namespace radosload::study
