#include "views/explain_json.h"

#include "report/causes/cause.h"
#include "views/json_values.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using CausesJson = nlohmann::ordered_json;

CausesJson cause_json(const report::Cause& cause) {
  CausesJson size;
  if (cause.size) {
    const bool bounded = cause.size->bound == report::CauseSize::Bound::at_most;
    size = {{"share", cause.size->share},
            {"of", cause.size->of},
            {"bound", bounded ? "at most" : "about"}};
  }
  return {
      {"name", cause.name},         {"claim", cause.claim},     {"size", size},
      {"evidence", cause.evidence}, {"command", cause.command}, {"refuted_if", cause.refuted_if}};
}

}  // namespace

std::string explain_json(const record::RunRecord& record) {
  const report::Explanation explanation = report::explain(record);
  CausesJson causes = CausesJson::array();
  for (const report::Cause& cause : explanation.causes) causes.push_back(cause_json(cause));
  return json_text({{"schema", "radosload.explain/1"},
                    {"run_id", record.header.run_id},
                    {"causes", causes},
                    {"unseen", explanation.unseen}});
}

}  // namespace radosload::views
