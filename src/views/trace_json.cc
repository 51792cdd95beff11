#include "views/trace_json.h"

#include "radosload/outcome.h"

#include "record/record_codec.h"
#include "views/json_values.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using Json = nlohmann::ordered_json;
using trace::TraceRow;

Json slow_json(const report::TraceFacts& facts, const trace::SlowOp& op) {
  const TraceRow& row = op.row;
  const Bytes object_size = facts.object_size;
  const bool sized = object_size.count > 0;
  return {{"file", facts.files.at(op.file)},
          {"row", op.number},
          {"t_s", seconds(Time(row.submit_ns))},
          {"op", op_kind_name(static_cast<OpKind>(row.op))},
          {"response_us", micros_or_null(trace::response_of(row))},
          {"service_us", micros_or_null(trace::service_of(row))},
          {"where", row.where},
          {"object", sized ? Json(row.where / object_size.count) : Json(nullptr)},
          {"bytes", row.bytes},
          {"osd", row.osd == no_osd ? Json(nullptr) : Json(row.osd)},
          {"pg", row.pg == no_pg ? Json(nullptr) : Json(row.pg)},
          {"client", row.client},
          {"rc", row.rc},
          {"error", row.rc < 0 ? Json(rc_name(row.rc)) : Json(nullptr)}};
}

}  // namespace

std::string trace_json(const report::TraceFacts& facts, const record::RunRecord& record,
                       const std::vector<trace::SlowOp>& slowest) {
  const Json whole = Json::parse(record::to_json(record));
  Json counts = whole.at("counts");
  counts.erase("unmeasured");  // operations of the warm-up have no row
  Json json = {{"schema", "radosload.trace-summary/1"},
               {"files", facts.files},
               {"rows", facts.rows},
               {"unsound_rows", facts.unsound},
               {"complete", facts.ended},
               {"measured_s", whole.at("measured_s")},
               {"last_answer_s", whole.at("last_answer_s")},
               {"counts", std::move(counts)},
               {"totals", whole.at("totals")},
               {"osds", whole.at("osds")},
               {"late_us", whole.at("late_us")},
               {"slowest", Json::array()}};
  for (const trace::SlowOp& op : slowest) {
    json["slowest"].push_back(slow_json(facts, op));
  }
  return json_text(json);
}

}  // namespace radosload::views
