#include "views/cleanup_json.h"

#include "radosload/outcome.h"

#include "views/fate.h"
#include "views/json_values.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using Json = nlohmann::ordered_json;

Json run_json(const footprint::RunCleanup& run) {
  Json failed = Json::object();
  for (const auto& [rc, times] : run.count.failed) failed[rc_name(rc)] = times;
  return {{"run", run.run},
          {"fate", fate_name(run.fate)},
          {"detail", or_null(run.detail)},
          {"found_by_scan", run.by_scan},
          {"objects", run.objects},
          {"images", run.images},
          {"removed", run.count.removed},
          {"missing", run.count.missing},
          {"failed", std::move(failed)},
          {"unanswered", run.count.unanswered}};
}

}  // namespace

std::string cleanup_json(const CleanupPlace& place, const footprint::CleanupReport& report) {
  Json json = {{"schema", "radosload.cleanup/1"},
               {"pool", place.pool},
               {"namespace", place.nspace},
               {"dry_run", place.dry_run},
               {"complete", report.complete()},
               {"interrupted", report.interrupted},
               {"runs", Json::array()}};
  for (const auto& run : report.runs) json["runs"].push_back(run_json(run));
  json["objects_removed"] = report.removed();
  json["names_scanned"] = report.scanned;
  json["foreign_objects"] = report.foreign;
  return json_text(json);
}

}  // namespace radosload::views
