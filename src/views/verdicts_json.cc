#include "views/json_values.h"
#include "views/verdicts.h"
#include "views/verdicts_document.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using VerdictJson = nlohmann::ordered_json;

VerdictJson finding_json(const study::Contest& contest, const stats::Finding& finding) {
  const auto& interval = finding.interval;
  return {{"base", contest.base},
          {"other", contest.other},
          {"metric", contest.answer.metric},
          {"better", contest.answer.lower_is_better ? "lower" : "higher"},
          {"scope", stats::scope_name(finding.scope)},
          {"ratio", or_null(finding.ratio)},
          {"ci_low", interval ? VerdictJson(interval->low) : VerdictJson(nullptr)},
          {"ci_high", interval ? VerdictJson(interval->high) : VerdictJson(nullptr)},
          {"method", stats::method_name(finding.method)},
          {"p", or_null(finding.p)},
          {"n_a", finding.n_a},
          {"n_b", finding.n_b},
          {"level", or_null(finding.level)},
          {"verdict", stats::arm_verdict_name(finding.told)},
          {"reason", or_null(finding.reason)},
          {"pairs", finding.pairs},
          {"hodges_lehmann", or_null(finding.hodges_lehmann)},
          {"needed_per_arm", or_null(finding.needed)},
          {"smallest_change", or_null(finding.smallest)}};
}

VerdictJson scatter_json(const study::Contest& contest) {
  const auto& scatter = contest.answer.scatter;
  if (!scatter) return nullptr;
  return {{"between_units", scatter->between},
          {"between_rounds", scatter->within},
          {"share_of_rounds", scatter->share_of_rounds()}};
}

}  // namespace

nlohmann::ordered_json verdicts_document(const Verdicts& verdicts) {
  VerdictJson json = {
      {"schema", "radosload.verdicts/1"}, {"threshold", verdicts.rules.threshold},
      {"level", verdicts.rules.level},    {"primary", or_null(verdicts.rules.primary)},
      {"verdicts", VerdictJson::array()}, {"warnings", verdicts.warnings}};
  for (const study::Contest& contest : verdicts.contests) {
    for (const stats::Finding* const finding :
         {&contest.answer.this_kind, &contest.answer.these_osds}) {
      VerdictJson one = finding_json(contest, *finding);
      one["scatter"] = scatter_json(contest);
      json["verdicts"].push_back(std::move(one));
    }
  }
  return json;
}

std::string verdicts_json(const Verdicts& verdicts) {
  return json_text(verdicts_document(verdicts));
}

}  // namespace radosload::views
