#include "plan/plan_codec.h"
#include "views/json_values.h"
#include "views/preview_text.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using Json = nlohmann::ordered_json;

Json space_json(const placement::SpacePlan& space) {
  Json json = {{"data_bytes", space.data.count},
               {"raw_bytes", space.raw.count},
               {"objects", space.demand.objects},
               {"objects_that_fit", space.fits},
               {"nearfull_ratio", space.nearfull_ratio}};
  json["osds"] = Json::array();
  for (const auto& osd : space.osds) {
    json["osds"].push_back({{"id", osd.id},
                            {"class", osd.device_class},
                            {"total_bytes", osd.total.count},
                            {"used_bytes", osd.used.count},
                            {"expected_bytes", osd.expected.count},
                            {"at_most_bytes", osd.at_most.count},
                            {"ratio_after", osd.ratio_after}});
  }
  json["unseen"] = space.unseen;
  return json;
}

Json operation_json(const prepare::PlannedOperation& planned) {
  return {{"client", planned.lane},
          {"op", op_kind_name(planned.op.kind)},
          {"object", planned.op.object},
          {"offset_bytes", planned.op.offset},
          {"length_bytes", planned.op.length},
          {"osd", planned.op.osd == no_osd ? Json(nullptr) : Json(planned.op.osd)}};
}

}  // namespace

std::string preview_json(const prepare::Preview& preview) {
  Json json = {{"schema", "radosload.preview/1"},
               {"plan", plan::plan_json(preview.header.plan)},
               {"environment", Json::parse(record::to_json(preview.header.environment))}};
  json["layout"] = {{"objects", preview.layout.objects},
                    {"object_bytes", preview.layout.object_size.count},
                    {"prefill_bytes", preview.layout.prefill_bytes().count},
                    {"prefill_operations", preview.layout.prefill_operations()}};
  json["pinned"] = Json::array();
  for (const auto& osd : preview.osds) {
    json["pinned"].push_back({{"id", osd.osd}, {"objects", osd.objects}, {"pgs", osd.pgs}});
  }
  json["reused"] = preview.reused.empty() ? Json(nullptr) : Json(preview.reused);
  json["space"] = preview.space ? space_json(*preview.space) : Json(nullptr);
  json["first_operations"] = Json::array();
  for (const auto& planned : preview.operations) {
    json["first_operations"].push_back(operation_json(planned));
  }
  json["warnings"] = preview.warnings;
  json["refused"] = preview.refusal ? Json(preview.refusal->reason) : Json(nullptr);
  return json_text(json);
}

}  // namespace radosload::views
