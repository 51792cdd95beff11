#include "html/verdict_words.h"

#include <algorithm>
#include <utility>

#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::html {

using stats::ArmVerdict;
using stats::Finding;

namespace {

std::string_view subject_of(stats::Scope scope) {
  return scope == stats::Scope::this_kind ? "this kind" : "these very OSDs";
}

std::string figure_text(const study::Contest& contest, const Finding& finding,
                        const stats::ArmRules& rules) {
  if (!finding.ratio) return contest.answer.metric;
  constexpr double percents = 100;
  const std::string ratio =
      fmt::format("{} of {} is {:.3f} times that of {}", contest.answer.metric, contest.other,
                  *finding.ratio, contest.base);
  if (!finding.interval) return ratio + ", without an interval";
  return fmt::format("{} ({:.4g} % interval {:.3f} to {:.3f})", ratio, rules.level * percents,
                     finding.interval->low, finding.interval->high);
}

// Findings of which the same is to be said.
struct Note {
  std::string text;
  std::vector<std::string> of;
};

// How the result came about, and what would make it better.
std::string note_text(const Finding& finding) {
  std::vector<std::string> parts;
  if (!finding.reason.empty()) parts.push_back(finding.reason);
  if (finding.needed) {
    parts.push_back(fmt::format("about {} {} per arm would be needed if the ratio is as estimated",
                                *finding.needed,
                                finding.scope == stats::Scope::these_osds ? "rounds" : "OSDs"));
  }
  if (stats::assumes_normal(finding.method)) {
    parts.push_back(fmt::format("the interval by {} assumes log-normal figures",
                                stats::method_name(finding.method)));
  }
  return report::joined(parts, "; ");
}

void add_note(std::string text, const std::string& of, std::vector<Note>& notes) {
  if (text.empty()) return;
  const auto same =
      std::find_if(notes.begin(), notes.end(), [&](const Note& note) { return note.text == text; });
  if (same == notes.end()) {
    notes.push_back({.text = std::move(text), .of = {of}});
  } else {
    same->of.push_back(of);
  }
}

std::string verdict_text(const study::Contest& contest, const Finding& finding) {
  switch (finding.told) {
    case ArmVerdict::faster:
    case ArmVerdict::slower:
      return fmt::format("{} is {} than {}", contest.other, stats::arm_verdict_name(finding.told),
                         contest.base);
    case ArmVerdict::equivalent:
      return fmt::format("{} and {} are equivalent", contest.other, contest.base);
    case ArmVerdict::inconclusive:
    case ArmVerdict::not_assessable:
      break;
  }
  return fmt::format("{} against {} is {}", contest.other, contest.base,
                     stats::arm_verdict_name(finding.told));
}

}  // namespace

std::string finding_sentence(const study::Contest& contest, const Finding& finding,
                             const stats::ArmRules& rules) {
  std::string text =
      fmt::format("For {}, {}: {}", subject_of(finding.scope), verdict_text(contest, finding),
                  figure_text(contest, finding, rules));
  if (!finding.reason.empty()) text += fmt::format("; {}", finding.reason);
  return text;
}

std::string_view scope_words(stats::Scope scope) {
  return scope == stats::Scope::this_kind ? "this kind" : "these OSDs";
}

std::vector<std::string> finding_notes(const std::vector<study::Contest>& contests) {
  constexpr std::size_t most_named = 4;
  std::vector<Note> notes;
  for (const study::Contest& contest : contests) {
    for (const Finding* const finding : {&contest.answer.this_kind, &contest.answer.these_osds}) {
      add_note(note_text(*finding),
               fmt::format("{} ({})", contest.answer.metric, scope_words(finding->scope)), notes);
    }
  }
  std::vector<std::string> lines;
  lines.reserve(notes.size());
  for (const Note& note : notes) {
    const std::string of = note.of.size() == 2 * contests.size() ? "All findings"
                           : note.of.size() > most_named
                               ? report::counted(note.of.size(), "finding")
                               : report::joined(note.of, ", ");
    lines.push_back(fmt::format("{}: {}", of, note.text));
  }
  return lines;
}

const Finding& widest_finding(const study::Contest& contest) {
  const stats::Answer& answer = contest.answer;
  return answer.this_kind.told == ArmVerdict::not_assessable ? answer.these_osds : answer.this_kind;
}

}  // namespace radosload::html
