#include "html/comparison_page.h"

#include <algorithm>
#include <map>
#include <utility>

#include "html/data.h"
#include "html/elements.h"
#include "html/escape.h"
#include "html/facts.h"
#include "html/forest.h"
#include "html/pictures.h"
#include "html/runs_table.h"
#include "html/verdict_words.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::html {

using stats::ArmVerdict;
using stats::Finding;
using study::Contest;

namespace {

constexpr std::size_t most_arms_drawn = 18;
constexpr double percents = 100;

bool is_decided(const Finding& finding) {
  return finding.told == ArmVerdict::faster || finding.told == ArmVerdict::slower ||
         finding.told == ArmVerdict::equivalent;
}

bool is_primary(const Contest& contest, const stats::ArmRules& rules) {
  return rules.primary.empty() || contest.answer.metric == rules.primary;
}

// "B compared with A: 2 slower, 3 inconclusive"
std::string summary_of(const std::vector<Contest>& contests) {
  std::map<ArmVerdict, std::size_t> counts;
  for (const Contest& contest : contests) ++counts[widest_finding(contest).told];
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [told, count] : counts) {
    parts.push_back(fmt::format("{} {}", count, stats::arm_verdict_name(told)));
  }
  return fmt::format("{} compared with {}: {}", contests.front().other, contests.front().base,
                     report::joined(parts, ", "));
}

// The answer in one line: of the primary metric, or how many metrics show what.
std::string title_of_comparison(const views::Verdicts& verdicts,
                                const std::vector<std::vector<Contest>>& arms) {
  std::vector<std::string> parts;
  for (const auto& contests : arms) {
    const auto primary =
        std::find_if(contests.begin(), contests.end(), [&](const Contest& contest) {
          return !verdicts.rules.primary.empty() && is_primary(contest, verdicts.rules);
        });
    const bool one = primary != contests.end();
    const Finding* const finding = one ? &widest_finding(*primary) : nullptr;
    if (!one) {
      parts.push_back(summary_of(contests));
    } else if (finding->told == ArmVerdict::faster || finding->told == ArmVerdict::slower) {
      parts.push_back(fmt::format("{} is {} than {} ({})", primary->other,
                                  stats::arm_verdict_name(finding->told), primary->base,
                                  primary->answer.metric));
    } else {
      parts.push_back(fmt::format("{} compared with {}: {} ({})", primary->other, primary->base,
                                  stats::arm_verdict_name(finding->told), primary->answer.metric));
    }
  }
  return report::joined(parts, "; ");
}

// Contests of the same arm follow each other.
std::vector<std::vector<Contest>> by_other_arm(const std::vector<Contest>& contests) {
  std::vector<std::vector<Contest>> arms;
  for (const Contest& contest : contests) {
    if (arms.empty() || arms.back().front().other != contest.other) arms.emplace_back();
    arms.back().push_back(contest);
  }
  return arms;
}

// Many findings that are reported alike, in one line for each scope.
std::vector<std::string> grouped_findings(const std::vector<Contest>& contests) {
  std::vector<std::pair<std::string, std::size_t>> groups;
  for (const Contest& contest : contests) {
    for (const Finding* const finding : {&contest.answer.this_kind, &contest.answer.these_osds}) {
      const std::string reason = finding->reason.empty() ? "" : ": " + finding->reason;
      const std::string text =
          fmt::format("For {}, {} against {} is {}{}", scope_words(finding->scope), contest.other,
                      contest.base, stats::arm_verdict_name(finding->told), reason);
      const auto same = std::find_if(groups.begin(), groups.end(),
                                     [&](const auto& group) { return group.first == text; });
      if (same == groups.end()) {
        groups.emplace_back(text, 1);
      } else {
        ++same->second;
      }
    }
  }
  std::vector<std::string> lines;
  lines.reserve(groups.size());
  for (const auto& [text, count] : groups) {
    lines.push_back(fmt::format("{} ({})", text, report::counted(count, "metric")));
  }
  return lines;
}

// Both scopes of the primary metric; where none is named, what was decided, or else all.
std::string sentences(const views::Verdicts& verdicts) {
  std::vector<std::string> decided;
  std::vector<std::string> all;
  for (const Contest& contest : verdicts.contests) {
    if (!is_primary(contest, verdicts.rules)) continue;
    for (const Finding* const finding : {&contest.answer.this_kind, &contest.answer.these_osds}) {
      all.push_back(finding_sentence(contest, *finding, verdicts.rules));
      if (is_decided(*finding)) decided.push_back(all.back());
    }
  }
  const bool primary = !verdicts.rules.primary.empty();
  constexpr std::size_t most_sentences = 4;
  if (!primary && decided.empty() && all.size() > most_sentences) {
    return list(grouped_findings(verdicts.contests), "ul");
  }
  std::string text = list(primary || decided.empty() ? all : decided, "ul");
  if (!primary && !decided.empty() && decided.size() < all.size()) {
    text += fmt::format("<p>{} more, without a decision, are in the table.</p>\n",
                        report::counted(all.size() - decided.size(), "finding"));
  }
  return text;
}

std::string verdict_table(const std::vector<Contest>& contests, const stats::ArmRules& rules) {
  std::vector<FigureRow> rows;
  for (const Contest& contest : contests) {
    for (const Finding* const finding : {&contest.answer.this_kind, &contest.answer.these_osds}) {
      const auto& interval = finding->interval;
      rows.push_back(
          {.cells = {
               contest.answer.metric, std::string(scope_words(finding->scope)),
               finding->ratio ? fmt::format("{:.3f}", *finding->ratio) : "-",
               interval ? fmt::format("{:.3f} to {:.3f}", interval->low, interval->high) : "-",
               finding->p ? fmt::format("{:.2g}", *finding->p) : "-",
               finding->pairs ? report::counted(finding->n_a, "pair")
                              : fmt::format("{} v {}", finding->n_a, finding->n_b),
               finding->level ? fmt::format("{:.4g} %", *finding->level * percents) : "-",
               finding->smallest ? fmt::format("{:.0f} %", *finding->smallest * percents) : "-",
               std::string(stats::arm_verdict_name(finding->told))}});
    }
  }
  return figure_table(
      "Verdicts",
      fmt::format(
          "Ratios of {} to {}. Scope: this kind asks whether other OSDs of these kinds would "
          "differ too, these OSDs asks about the measured ones only. Level: the confidence at "
          "which the verdict was decided. Detectable: the smallest change that this design finds "
          "four times in five.",
          contests.front().other, contests.front().base),
      {"metric", "scope", "ratio", fmt::format("{:.4g} % interval", rules.level * percents), "p",
       "n", "level", "detectable", "verdict"},
      rows);
}

std::string arms_parts(const views::Verdicts& verdicts,
                       const std::vector<std::vector<Contest>>& arms) {
  std::string text;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    text +=
        figure("Ratios", forest_plot(fmt::format("forest{}", i + 1), arms[i], verdicts.rules),
               fmt::format("Squares are ratios of {} to {}, lines their {:.4g} % intervals; in "
                           "the band of {:.4g} % around 1 a change does not matter.",
                           arms[i].front().other, arms[i].front().base,
                           verdicts.rules.level * percents, verdicts.rules.threshold * percents)) +
        verdict_table(arms[i], verdicts.rules) + list(finding_notes(arms[i]), "ul");
  }
  return text;
}

std::string without_part(const ComparisonPage& comparison) {
  if (comparison.without_contaminated.empty()) return {};
  std::string text;
  for (const auto& contests : by_other_arm(comparison.without_contaminated)) {
    text += verdict_table(contests, comparison.verdicts.rules);
  }
  return text;
}

// ---- what it rests on ----

// "A 1", "A 2", "B 1": shorter than their IDs, which the table of the runs has.
std::vector<ShownRun> named_arm_runs(const std::vector<study::ArmRun>& runs) {
  std::map<std::string, std::size_t> numbers;
  std::vector<ShownRun> named;
  named.reserve(runs.size());
  for (const study::ArmRun& run : runs) {
    const std::size_t number = ++numbers[run.arm];
    const std::string& id = run.record.header.run_id;
    named.push_back({run.arm.empty() ? id : fmt::format("{} {}", run.arm, number), &run.record});
  }
  return named;
}

// All runs of each arm together.
std::string curves_by_arm(const std::vector<study::ArmRun>& runs) {
  std::vector<NamedCell> cells;
  for (const study::ArmRun& run : runs) {
    for (const record::Cell& cell : run.record.kinds) {
      if (run.arm.empty() || cell.kind == OpKind::sync) continue;
      const std::string name = fmt::format("{} {}", run.arm, op_kind_name(cell.kind));
      const auto same = std::find_if(cells.begin(), cells.end(),
                                     [&](const NamedCell& one) { return one.name == name; });
      if (same != cells.end()) {
        same->cell.merge(cell);
      } else if (cells.size() < most_arms_drawn) {
        cells.push_back({name, cell});
      }
    }
  }
  const std::string picture = percentile_curves("curves", cells, {});
  if (picture.empty()) return {};
  return figure("Percentile curves by arm", picture,
                "A line for each arm and kind of operation, over all runs of the arm. Verdicts do "
                "not rest on these sums, but on the figures of each unit.") +
         folded("Percentiles of these arms", percentile_table(cells));
}

std::string figures_table(const std::vector<study::ArmFigure>& figures) {
  constexpr std::size_t most_figures = 1000;
  std::vector<FigureRow> rows;
  for (const study::ArmFigure& figure : figures) {
    if (rows.size() == most_figures) break;
    rows.push_back({.cells = {figure.arm, figure.unit, figure.round, figure.metric,
                              fmt::format("{:.6g}", figure.value)}});
  }
  const std::string cut = figures.size() <= most_figures
                              ? ""
                              : fmt::format(" (the first {} of {})", most_figures, figures.size());
  return folded(
      fmt::format("{} that were compared{}", report::counted(figures.size(), "figure"), cut),
      figure_table("Figures", "What the verdicts rest on",
                   {"arm", "unit", "round", "metric", "value"}, rows));
}

std::string data_of_comparison(const ComparisonPage& comparison) {
  EmbeddedRecords embedded;
  for (const study::ArmRun& run : comparison.runs) {
    embedded.runs.push_back(&run.record);
    embedded.arms.push_back(run.arm);
  }
  const KeptComparison judged{.rules = comparison.verdicts.rules,
                              .figures = comparison.verdicts.figures,
                              .warnings = comparison.verdicts.warnings,
                              .withheld = comparison.withheld};
  embedded.comparison = &judged;
  return data_element(embedded);
}

}  // namespace

std::string page(const ComparisonPage& comparison) {
  const views::Verdicts& verdicts = comparison.verdicts;
  const auto arms = by_other_arm(verdicts.contests);
  const std::string title = title_of_comparison(verdicts, arms);
  const auto runs = named_arm_runs(comparison.runs);
  // What the verdict says, and what speaks against it, before the figures.
  std::string body = fmt::format("<h1>{}</h1>\n", escaped(title)) +
                     (comparison.question.empty() ? ""
                                                  : fmt::format("<p class=\"soft\">{}</p>\n",
                                                                escaped(comparison.question))) +
                     "<div class=\"verdict\">\n" + sentences(verdicts) + "</div>\n" +
                     section("What may confound it", list(verdicts.warnings, "ul")) +
                     section("Verdicts", arms_parts(verdicts, arms)) +
                     section("Without the contaminated runs", without_part(comparison));
  if (!runs.empty()) {
    body += section("Response time by percentile", curves_by_arm(comparison.runs)) +
            section("Response time by OSD", curves_by_osd(runs)) +
            section("Runs", grades_of(runs) + runs_table(runs, {}, true)) +
            section("Warnings of the runs", list(warnings_of(runs), "ul")) +
            section("What was measured on", inventory(runs)) +
            section("How to repeat the runs", settings_of(runs));
  }
  body += section("Figures", figures_table(verdicts.figures)) +
          section("How to repeat this comparison", preformatted("Command", comparison.command));
  return document(title, body, data_of_comparison(comparison));
}

}  // namespace radosload::html
