#include "views/drive_share_json.h"

#include "views/json_values.h"

namespace radosload::views {

namespace {

using ShareJson = nlohmann::ordered_json;

ShareJson count_or_null(std::size_t count) {
  return count == 0 ? ShareJson(nullptr) : ShareJson(count);
}

ShareJson row_json(const report::DriveShareRow& row) {
  const report::DriveCost& cost = row.cost;
  return {{"operation", op_kind_name(row.kind)},
          {"unit", row.unit},
          {"pool", row.pool},
          {"drives", or_null(row.drives)},
          {"attainable", or_null(row.attainable)},
          {"share", or_null(row.share)},
          {"at_least", row.at_least},
          {"cost",
           {{"reads", cost.reads},
            {"writes", cost.writes},
            {"bytes_read", cost.bytes_read},
            {"bytes_written", cost.bytes_written},
            {"why", cost.why}}}};
}

}  // namespace

std::string drive_share_json(const report::DriveShare& share) {
  ShareJson sums = ShareJson::array();
  for (const report::DriveSum& sum : share.sums) {
    sums.push_back({{"operation", op_kind_name(sum.kind)},
                    {"drives", sum.drives},
                    {"iops", sum.iops},
                    {"mib_per_s", sum.mib_per_s}});
  }
  ShareJson rows = ShareJson::array();
  for (const report::DriveShareRow& row : share.rows) rows.push_back(row_json(row));
  return json_text({{"schema", "radosload.drive-share/1"},
                    {"run_id", share.run_id},
                    {"drives", share.drives},
                    {"osds", count_or_null(share.osds)},
                    {"scaled_to", count_or_null(share.scaled)},
                    {"sums", sums},
                    {"rows", rows},
                    {"together_iops", or_null(share.together_iops)},
                    {"together_mib_per_s", or_null(share.together_mib)},
                    {"warnings", share.warnings}});
}

}  // namespace radosload::views
