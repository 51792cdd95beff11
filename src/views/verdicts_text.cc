#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "radosload/printable.h"

#include "report/layout.h"
#include "views/verdicts.h"

#include <fmt/format.h>

namespace radosload::views {

namespace {

using stats::Finding;
using study::Contest;

constexpr double percents = 100;

std::string ratio_figure(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

std::string interval_text(const Finding& finding) {
  if (!finding.interval) return "-";
  return fmt::format("{:.3f} to {:.3f}", finding.interval->low, finding.interval->high);
}

std::string p_text(const Finding& finding) {
  return finding.p ? fmt::format("{:.2g}", *finding.p) : "-";
}

std::string level_text(const Finding& finding) {
  return finding.level ? fmt::format("{:.4g} %", *finding.level * percents) : "-";
}

std::string n_text(const Finding& finding) {
  return finding.pairs ? report::counted(finding.n_a, "pair")
                       : fmt::format("{} v {}", finding.n_a, finding.n_b);
}

std::array<const Finding*, 2> findings_of(const Contest& contest) {
  return {&contest.answer.this_kind, &contest.answer.these_osds};
}

std::vector<std::string> heads(const Verdicts& verdicts) {
  return {
      "metric", "scope", "ratio", fmt::format("{:.4g} % interval", verdicts.rules.level * percents),
      "p",      "n",     "level", "verdict"};
}

std::vector<std::string> cells_of(const Contest& contest, const Finding& finding) {
  return {contest.answer.metric,
          std::string(stats::scope_name(finding.scope)),
          ratio_figure(finding.ratio),
          interval_text(finding),
          p_text(finding),
          n_text(finding),
          level_text(finding),
          std::string(stats::arm_verdict_name(finding.told))};
}

// How the result came about, and what would make it better; empty when there is nothing to say.
std::string remark(const Finding& finding) {
  std::vector<std::string> parts;
  if (!finding.reason.empty()) parts.push_back(finding.reason);
  if (finding.needed) {
    parts.push_back(fmt::format("about {} {} per arm would be needed if the ratio is as estimated",
                                *finding.needed,
                                finding.scope == stats::Scope::these_osds ? "rounds" : "OSDs"));
  }
  if (finding.smallest && finding.told == stats::ArmVerdict::inconclusive) {
    parts.push_back(fmt::format("a change of less than {:.0f} % is rarely found by this design",
                                *finding.smallest * percents));
  }
  if (stats::assumes_normal(finding.method)) {
    parts.push_back(
        fmt::format("interval by {}, which assumes log-normal figures (Hodges-Lehmann "
                    "ratio {})",
                    stats::method_name(finding.method), ratio_figure(finding.hodges_lehmann)));
  }
  return report::joined(parts, "; ");
}

std::string scatter_text(const Contest& contest) {
  const auto& scatter = contest.answer.scatter;
  if (!scatter) return {};
  const double share = scatter->share_of_rounds();
  constexpr double half = 0.5;
  return fmt::format(
      "figures scatter by {:.1f} % between OSDs and by {:.1f} % between rounds: more {} "
      "would shrink the interval of this-kind most",
      scatter->between * percents, scatter->within * percents, share > half ? "rounds" : "OSDs");
}

struct Remark {
  std::string about;  // metrics and scope
  std::string text;
};

// Metrics of which the same is to be said share one remark.
std::vector<Remark> remarks_of(const std::vector<const Contest*>& contests) {
  std::vector<Remark> remarks;
  const auto add = [&remarks](const std::string& about, const std::string& text) {
    if (text.empty()) return;
    const auto same = std::find_if(remarks.begin(), remarks.end(),
                                   [&](const Remark& remark) { return remark.text == text; });
    if (same == remarks.end()) {
      remarks.push_back({.about = about, .text = text});
    } else {
      same->about += ", " + about;
    }
  };
  for (const Contest* const contest : contests) {
    for (const Finding* const finding : findings_of(*contest)) {
      add(fmt::format("{} {}", contest->answer.metric, stats::scope_name(finding->scope)),
          remark(*finding));
    }
    add(contest->answer.metric, scatter_text(*contest));
  }
  return remarks;
}

// All of a few. Of many with a primary metric, that one: a page of notes hides what matters.
std::vector<const Contest*> explained(const Verdicts& verdicts,
                                      const std::vector<const Contest*>& contests) {
  constexpr std::size_t most_explained = 4;
  std::vector<const Contest*> primary;
  for (const Contest* const contest : contests) {
    if (contest->answer.metric == verdicts.rules.primary) primary.push_back(contest);
  }
  return primary.empty() || contests.size() <= most_explained ? contests : primary;
}

std::string title_of(const Verdicts& verdicts, const Contest& contest) {
  const std::string primary = verdicts.rules.primary.empty()
                                  ? "no primary metric, all share the level (Holm)"
                                  : "primary metric " + verdicts.rules.primary;
  return fmt::format("{} compared with {}: ratio is {} / {}, threshold {:.4g} %, {}", contest.other,
                     contest.base, contest.other, contest.base, verdicts.rules.threshold * percents,
                     primary);
}

// Contests of the same arm follow each other.
std::vector<std::vector<const Contest*>> by_arm(const Verdicts& verdicts) {
  std::vector<std::vector<const Contest*>> arms;
  for (const Contest& contest : verdicts.contests) {
    if (arms.empty() || arms.back().front()->other != contest.other) arms.emplace_back();
    arms.back().push_back(&contest);
  }
  return arms;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + markdown_text(cell) + " |";
  return row + "\n";
}

// Benchmark names and units have no spaces.
std::string benchmark_word(const std::string& text) {
  std::string word = printable(text);
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
}

}  // namespace

std::string markdown_text(const std::string& text) {
  std::string escaped;
  for (const char letter : printable(text)) {
    if (std::string_view("|\\`*_<>[]").find(letter) != std::string_view::npos) escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

std::string verdicts_text(const Verdicts& verdicts) {
  using report::Align;
  std::string text;
  for (const auto& contests : by_arm(verdicts)) {
    if (!text.empty()) text += "\n";
    text += report::paragraph("", title_of(verdicts, *contests.front()), 0, 0) + "\n";
    const auto names = heads(verdicts);
    std::vector<report::Table::Column> columns;
    for (const std::string& name : names) {
      const bool words = name == "metric" || name == "scope" || name == "verdict";
      columns.push_back({name, words ? Align::left : Align::right});
    }
    report::Table table(std::move(columns));
    for (const Contest* const contest : contests) {
      for (const Finding* const finding : findings_of(*contest)) {
        table.add(cells_of(*contest, *finding));
      }
    }
    text += table.text(2) + "\n";
    const auto shown = explained(verdicts, contests);
    for (const Remark& one : remarks_of(shown)) {
      text += report::paragraph("note", fmt::format("{}: {}", one.about, one.text), 2, 9);
    }
    if (shown.size() < contests.size()) {
      text += report::paragraph("note",
                                fmt::format("there are notes on {} other metrics: --format "
                                            "markdown shows them",
                                            contests.size() - shown.size()),
                                2, 9);
    }
  }
  for (const std::string& warning : verdicts.warnings) {
    text += report::paragraph("warning", warning, 2, 9);
  }
  return text;
}

std::vector<std::string> verdict_notes(const Verdicts& verdicts) {
  std::vector<std::string> notes;
  for (const auto& contests : by_arm(verdicts)) {
    for (const Remark& one : remarks_of(contests)) {
      notes.push_back(fmt::format("{}: {}", one.about, one.text));
    }
  }
  return notes;
}

std::string verdicts_markdown(const Verdicts& verdicts) {
  std::string text;
  for (const auto& contests : by_arm(verdicts)) {
    if (!text.empty()) text += "\n";
    text += "**" + markdown_text(title_of(verdicts, *contests.front())) + "**\n\n";
    text += markdown_row(heads(verdicts)) + "|---|---|---:|---:|---:|---:|---:|---|\n";
    for (const Contest* const contest : contests) {
      for (const Finding* const finding : findings_of(*contest)) {
        text += markdown_row(cells_of(*contest, *finding));
      }
    }
    text += "\n";
    for (const Remark& one : remarks_of(contests)) {
      text += fmt::format("- {}: {}\n", markdown_text(one.about), markdown_text(one.text));
    }
  }
  for (const std::string& warning : verdicts.warnings) {
    text += fmt::format("- warning: {}\n", markdown_text(warning));
  }
  return text;
}

std::string verdicts_go_bench(const Verdicts& verdicts) {
  std::string text;
  for (const study::ArmFigure& figure : verdicts.figures) {
    text += fmt::format("BenchmarkRadosload/arm={}/unit={} 1 {} {}\n", benchmark_word(figure.arm),
                        benchmark_word(figure.unit), figure.value, benchmark_word(figure.metric));
  }
  return text;
}

}  // namespace radosload::views
