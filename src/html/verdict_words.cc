#include "html/verdict_words.h"

#include <fmt/format.h>

namespace radosload::html {

using stats::Finding;
using stats::Told;

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

std::string verdict_text(const study::Contest& contest, const Finding& finding) {
  switch (finding.told) {
    case Told::faster:
    case Told::slower:
      return fmt::format("{} is {} than {}", contest.other, stats::told_name(finding.told),
                         contest.base);
    case Told::equivalent:
      return fmt::format("{} and {} are equivalent", contest.other, contest.base);
    case Told::inconclusive:
    case Told::not_assessable:
      break;
  }
  return fmt::format("{} against {} is {}", contest.other, contest.base,
                     stats::told_name(finding.told));
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

const Finding& widest_finding(const study::Contest& contest) {
  const stats::Answer& answer = contest.answer;
  return answer.this_kind.told == Told::not_assessable ? answer.these_osds : answer.this_kind;
}

}  // namespace radosload::html
