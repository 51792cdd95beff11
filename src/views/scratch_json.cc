#include "views/fate.h"
#include "views/json_values.h"
#include "views/scratch_text.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using footprint::ScratchFound;
using footprint::ScratchPlan;
using footprint::ScratchRemoved;
using Json = nlohmann::ordered_json;
using State = ScratchFound::State;

const char* state_word(State state) {
  switch (state) {
    case State::ready:
      return "ready";
    case State::making:
      return "making";
    case State::unmarked:
      return "unmarked";
    case State::rule_only:
      return "rule";
  }
  return "";
}

Json pool_json(const ScratchShown& pool) {
  const ScratchFound& found = pool.found;
  Json counts = nullptr;
  if (pool.pgs) {
    counts = Json::object();
    for (const auto& [osd, pgs] : *pool.pgs) counts[std::to_string(osd)] = pgs;
  }
  const bool is_pool = found.pool >= 0;
  return {{"name", found.name},
          {"state", state_word(found.state)},
          {"pool_id", is_pool ? Json(found.pool) : Json(nullptr)},
          {"osds", or_null(found.osds)},
          {"size", is_pool ? Json(found.size) : Json(nullptr)},
          {"pg_num", is_pool ? Json(found.pg_num) : Json(nullptr)},
          {"upmaps", found.upmaps},
          {"rule", or_null(found.rule)},
          {"since", or_null(found.mark.since)},
          {"host", or_null(found.mark.owner.host)},
          {"pid", found.mark.owner.pid == 0 ? Json(nullptr) : Json(found.mark.owner.pid)},
          {"pgs_by_osd", counts}};
}

}  // namespace

std::string scratch_plan_json(const ScratchPlan& plan) {
  std::map<std::string, std::uint32_t> pgs;
  for (const std::int32_t osd : plan.locations) ++pgs[std::to_string(osd)];
  return json_text({{"schema", "radosload.scratch/1"},
                    {"planned",
                     {{"name", plan.name},
                      {"osds", plan.osds},
                      {"size", 1},
                      {"pg_num", plan.locations.size()},
                      {"upmaps", plan.locations.size()},
                      {"rule", plan.name},
                      {"pgs_by_osd", pgs}}}});
}

std::string scratch_list_json(const std::vector<ScratchShown>& pools) {
  Json json = {{"schema", "radosload.scratch/1"}};
  json["pools"] = Json::array();
  for (const ScratchShown& pool : pools) json["pools"].push_back(pool_json(pool));
  return json_text(json);
}

std::string scratch_removed_json(const footprint::ScratchRemovals& removals) {
  Json json = {{"schema", "radosload.scratch/1"}};
  json["removed"] = Json::array();
  for (const ScratchRemoved& one : removals.pools) {
    json["removed"].push_back(
        {{"name", one.name}, {"fate", fate_name(one.fate)}, {"detail", or_null(one.detail)}});
  }
  return json_text(json);
}

}  // namespace radosload::views
