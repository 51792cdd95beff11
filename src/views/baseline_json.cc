#include "report/facts.h"
#include "views/baseline.h"
#include "views/json_values.h"
#include "views/verdicts_document.h"

namespace radosload::views {

namespace {

using BaselineJson = nlohmann::ordered_json;

BaselineJson foresight_json(const study::BaselineForesight& one) {
  return {{"metric", one.metric},
          {"scope", stats::scope_name(one.found.scope)},
          {"n_a", one.found.n_a},
          {"n_b", one.found.n_b},
          {"level", one.found.level},
          {"least_p", one.found.least_p},
          {"possible", one.found.possible},
          {"smallest", or_null(one.found.smallest)},
          {"at_worst", or_null(one.found.at_worst)},
          {"enough", or_null(one.enough)}};
}

BaselineJson load_json(const study::GroupOutlook& outlook) {
  const study::BaselineGroup& group = outlook.group;
  BaselineJson runs = BaselineJson::array();
  for (const record::RunRecord& run : group.runs) {
    runs.push_back({{"run_id", run.header.run_id},
                    {"started", run.header.started},
                    {"grade", record::grade_name(run.grade.value)}});
  }
  BaselineJson could_find = BaselineJson::array();
  for (const auto& one : outlook.could_find) could_find.push_back(foresight_json(one));
  return {{"load", group.name},
          {"where", report::where_text(group.plan, group.runs.front().header.environment)},
          {"primary", or_null(outlook.rules.primary)},
          {"level", outlook.rules.level},
          {"runs", runs},
          {"could_find", could_find}};
}

BaselineJson baseline_json(const BaselineShown& shown) {
  const record::Baseline& baseline = shown.baseline;
  const record::Environment& place = baseline.runs.front().header.environment;
  BaselineJson loads = BaselineJson::array();
  for (const study::GroupOutlook& outlook : shown.groups) loads.push_back(load_json(outlook));
  return {{"name", baseline.name},
          {"kept", baseline.kept},
          {"program", baseline.program},
          {"fsid", or_null(place.fsid)},
          {"ceph_version", or_null(study::version_text(place))},
          {"threshold", baseline.threshold},
          {"level", baseline.level},
          {"objections", baseline.objections},
          {"loads", loads},
          {"path", shown.path}};
}

}  // namespace

std::string baselines_json(const std::vector<BaselineShown>& all) {
  BaselineJson json = {{"schema", "radosload.baselines/1"}, {"baselines", BaselineJson::array()}};
  for (const BaselineShown& shown : all) json["baselines"].push_back(baseline_json(shown));
  return json_text(json);
}

std::string check_json(const BaselineChecked& checked) {
  BaselineJson changes = BaselineJson::array();
  for (const study::PlaceChange& change : checked.changes) {
    changes.push_back({{"what", change.what}, {"before", change.before}, {"now", change.now}});
  }
  BaselineJson loads = BaselineJson::array();
  for (const GroupChecked& group : checked.groups) {
    loads.push_back({{"load", group.load},
                     {"where", group.where},
                     {"result", study::outcome_name(group.outcome)},
                     {"runs_before", group.runs_before},
                     {"runs_now", group.runs_now},
                     {"verdicts", verdicts_document(group.verdicts)}});
  }
  return json_text({{"schema", "radosload.baseline-check/1"},
                    {"baseline", checked.name},
                    {"kept", checked.kept},
                    {"ceph_version_before", or_null(checked.versions_before)},
                    {"ceph_version_now", or_null(checked.versions_now)},
                    {"result", study::outcome_name(checked.outcome())},
                    {"changes", changes},
                    {"loads", loads},
                    {"warnings", checked.warnings}});
}

}  // namespace radosload::views
