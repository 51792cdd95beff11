#include <algorithm>
#include <utility>

#include "radosload/printable.h"

#include "report/facts.h"
#include "report/layout.h"
#include "views/baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::views {

namespace {

using report::Align;
using study::BaselineForesight;
using study::GroupOutlook;

constexpr std::size_t margin = 2;
constexpr double percents = 100;

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

const record::Environment& place_of(const record::Baseline& baseline) {
  return baseline.runs.front().header.environment;
}

std::string where_of(const study::BaselineGroup& group) {
  return report::where_text(group.plan, group.runs.front().header.environment);
}

std::string cluster_text(const record::Baseline& baseline) {
  const std::string versions = study::version_text(place_of(baseline));
  const std::string& fsid = place_of(baseline).fsid;
  return versions.empty() ? fsid : fmt::format("{}, Ceph {}", fsid, versions);
}

std::string rules_text(const record::Baseline& baseline) {
  std::string primary = "the rate (open loop: the mean latency) is tested first";
  if (baseline.primary == "none") primary = "all metrics share the level";
  if (!baseline.primary.empty() && baseline.primary != "none") {
    primary = baseline.primary + " is tested first";
  }
  return fmt::format("threshold {:.4g} %, level {:.4g} %, {}", baseline.threshold * percents,
                     baseline.level * percents, primary);
}

std::string runs_table(const std::vector<GroupOutlook>& groups) {
  report::Table table({{"load", Align::left},
                       {"run", Align::left},
                       {"started", Align::left},
                       {"grade", Align::left},
                       {"IOPS"},
                       {"mean"}});
  for (const GroupOutlook& outlook : groups) {
    for (const record::RunRecord& run : outlook.group.runs) {
      const record::Cell total = record::total_of(run.kinds);
      table.add({outlook.group.name, run.header.run_id, run.header.started,
                 std::string(record::grade_name(run.grade.value)),
                 report::rate_text(record::iops(run, total)),
                 report::time_text(record::figures_of(total).mean)});
    }
  }
  return table.text(margin);
}

std::string against_text(const BaselineForesight& one) {
  const bool osds = one.found.scope == stats::Scope::this_kind;
  return one.found.pairs ? fmt::format("{} pairs of {}", one.found.n_a, osds ? "OSDs" : "runs")
                         : fmt::format("{} {} against {}", one.found.n_a, osds ? "OSDs" : "runs",
                                       one.found.n_b);
}

std::string least_text(const BaselineForesight& one) {
  const bool osds = one.found.scope == stats::Scope::this_kind;
  std::string text = one.sharing > 1 ? "name one of them with --primary" : "";
  if (!one.enough || osds) return text;
  if (!text.empty()) text += ", or ";
  return text + fmt::format("keep {} runs or more", *one.enough);
}

std::string percent_text(double share) {
  constexpr double beyond = 9.99;
  constexpr double with_digits = 0.1;
  if (share > beyond) return "more than 999 %";
  return share < with_digits ? fmt::format("{:.2g} %", share * percents)
                             : fmt::format("{:.0f} %", share * percents);
}

// "these-osds: 4 runs against 4 find a change of 12 % four times in five"
std::string foresight_text(const BaselineForesight& one) {
  const std::string head =
      fmt::format("{}: {}", stats::scope_name(one.found.scope), against_text(one));
  if (one.found.method == stats::Method::none) {
    return head + " can never have a verdict; keep 2 runs or more";
  }
  if (!one.found.possible) {
    return fmt::format(
        "{} can never have a verdict: they reach p = {:.2g} at best, and {:.2g} is needed{}; {}",
        head, one.found.least_p, 1 - one.found.level,
        one.sharing > 1 ? fmt::format(" where {} metrics share the level", one.sharing) : "",
        least_text(one));
  }
  std::string text =
      one.found.smallest
          ? fmt::format("{} find a change of {} four times in five", head,
                        percent_text(*one.found.smallest))
          : head + " may find a change, but these runs do not show how large it has to be";
  if (one.found.smallest && one.found.at_worst) {
    text += fmt::format(" ({} if runs differ more than these few show)",
                        percent_text(*one.found.at_worst));
  }
  if (stats::assumes_normal(one.found.method)) {
    text += fmt::format("; this assumes log-normal figures, which {} do not need",
                        one.found.pairs ? "6 pairs" : "4 runs");
  }
  return text;
}

struct Foreseen {
  std::string metrics;
  std::string text;
};

// Metrics with the same text share one line.
std::vector<Foreseen> foreseen_lines(const GroupOutlook& outlook) {
  std::vector<Foreseen> lines;
  for (const BaselineForesight& one : outlook.could_find) {
    std::string text = foresight_text(one);
    const auto same = std::find_if(lines.begin(), lines.end(),
                                   [&](const Foreseen& line) { return line.text == text; });
    if (same == lines.end()) {
      lines.push_back({.metrics = one.metric, .text = std::move(text)});
    } else {
      same->metrics += ", " + one.metric;
    }
  }
  return lines;
}

std::string outlook_lines(const std::vector<GroupOutlook>& groups) {
  std::string text;
  for (const GroupOutlook& outlook : groups) {
    const std::string of_load = groups.size() > 1 ? outlook.group.name + ": " : "";
    for (const Foreseen& one : foreseen_lines(outlook)) {
      text += report::line("finds", fmt::format("{}{}, {}", of_load, one.metrics, one.text));
    }
    if (outlook.needed_by_others) {
      text += report::line("note", fmt::format("{}the other metrics can have a verdict with {} "
                                               "runs or more",
                                               of_load, *outlook.needed_by_others));
    }
  }
  return text;
}

std::string names_of_loads(const BaselineShown& shown) {
  std::vector<std::string> names;
  names.reserve(shown.groups.size());
  for (const GroupOutlook& outlook : shown.groups) names.push_back(outlook.group.name);
  return report::joined(names, ", ");
}

std::string places_of(const BaselineShown& shown) {
  std::vector<std::string> places;
  for (const GroupOutlook& outlook : shown.groups) {
    std::string place = where_of(outlook.group);
    if (std::find(places.begin(), places.end(), place) == places.end()) {
      places.push_back(std::move(place));
    }
  }
  return report::joined(places, ", ");
}

// The metrics by their verdicts: "slower: read iops; equivalent: read p50_us"
std::string told_text(const GroupChecked& group) {
  std::vector<std::string> parts;
  for (const auto told : {stats::ArmVerdict::slower, stats::ArmVerdict::faster,
                          stats::ArmVerdict::equivalent, stats::ArmVerdict::inconclusive}) {
    std::vector<std::string> metrics;
    for (const study::Contest& contest : group.verdicts.contests) {
      const stats::Answer& answer = contest.answer;
      if (answer.these_osds.told == told || answer.this_kind.told == told) {
        metrics.push_back(answer.metric);
      }
    }
    if (metrics.empty()) continue;
    parts.push_back(
        fmt::format("{}: {}", stats::arm_verdict_name(told), report::joined(metrics, ", ")));
  }
  return report::joined(parts, "; ");
}

std::string result_text(const GroupChecked& group) {
  const std::string told = told_text(group);
  const auto outcome = study::outcome_name(group.outcome);
  return told.empty() ? std::string(outcome) : fmt::format("{} ({})", outcome, told);
}

std::string group_title(const GroupChecked& group) {
  return printable(fmt::format("{}, {}: {} of the baseline, {} now", group.load, group.where,
                               report::counted(group.runs_before.size(), "run"),
                               report::counted(group.runs_now.size(), "run")));
}

std::string group_text(const GroupChecked& group) {
  std::string text = "\n" + group_title(group) + "\n\n" + verdicts_text(group.verdicts);
  return text + report::line("result", result_text(group));
}

std::string title_of(const BaselineChecked& checked) {
  return printable(fmt::format("baseline {}, kept {}: {}", checked.name, checked.kept,
                               study::outcome_name(checked.outcome())));
}

}  // namespace

std::string baseline_text(const BaselineShown& shown) {
  const record::Baseline& baseline = shown.baseline;
  std::string text =
      printable(fmt::format("baseline {}: {} of {}, kept {}", baseline.name,
                            report::counted(baseline.runs.size(), "run"),
                            report::counted(shown.groups.size(), "load"), baseline.kept)) +
      "\n\n";
  text += report::line("where", places_of(shown));
  text += report::line("cluster", cluster_text(baseline));
  text += report::line("rules", rules_text(baseline));
  text += "\n" + runs_table(shown.groups) + "\n";
  text += outlook_lines(shown.groups);
  for (const std::string& one : baseline.objections) {
    text += report::line("warning", "kept with --force although " + one);
  }
  text += report::line("saved", shown.path);
  return text;
}

std::string baselines_text(const std::vector<BaselineShown>& all) {
  if (all.empty()) return "no baselines\n";
  report::Table table({{"name", Align::left},
                       {"kept", Align::left},
                       {"runs"},
                       {"loads", Align::left},
                       {"where", Align::left},
                       {"Ceph", Align::left},
                       {"cluster", Align::left}});
  for (const BaselineShown& shown : all) {
    const record::Baseline& baseline = shown.baseline;
    table.add({baseline.name, baseline.kept, std::to_string(baseline.runs.size()),
               names_of_loads(shown), places_of(shown),
               or_dash(study::version_text(place_of(baseline))), or_dash(place_of(baseline).fsid)});
  }
  return table.text(0);
}

std::string change_text(const study::PlaceChange& change) {
  return fmt::format("{}: {}, now {}", change.what, change.before, change.now);
}

study::Outcome BaselineChecked::outcome() const {
  std::vector<study::Outcome> outcomes;
  outcomes.reserve(groups.size());
  for (const GroupChecked& group : groups) outcomes.push_back(group.outcome);
  return study::worst_of(outcomes);
}

std::string check_text(const BaselineChecked& checked) {
  std::string text = title_of(checked) + "\n\n";
  for (const study::PlaceChange& change : checked.changes) {
    text += report::line("changed", change_text(change));
  }
  if (checked.changes.empty()) text += report::line("changed", "nothing that is known");
  for (const std::string& warning : checked.warnings) text += report::line("warning", warning);
  for (const GroupChecked& group : checked.groups) text += group_text(group);
  return text;
}

std::string check_markdown(const BaselineChecked& checked) {
  std::string text = "## " + markdown_text(title_of(checked)) + "\n";
  if (!checked.changes.empty() || !checked.warnings.empty()) text += "\n";
  for (const study::PlaceChange& change : checked.changes) {
    text += "- changed: " + markdown_text(change_text(change)) + "\n";
  }
  for (const std::string& warning : checked.warnings) {
    text += "- warning: " + markdown_text(warning) + "\n";
  }
  for (const GroupChecked& group : checked.groups) {
    text += fmt::format("\n### {}\n\n{}\n\n{}", markdown_text(group_title(group)),
                        markdown_text(result_text(group)), verdicts_markdown(group.verdicts));
  }
  return text;
}

}  // namespace radosload::views
