#include "views/list_json.h"

#include <algorithm>
#include <cctype>

#include "report/compare.h"
#include "report/series_compare.h"
#include "views/json_values.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using Json = nlohmann::ordered_json;
using report::Comparison;
using report::ListRow;

Json entry_json(const ListRow& row) {
  Json json = {{"type", row.type()},
               {"id", row.id},
               {"started", row.started},
               {"pool", or_null(row.pool)},
               {"pattern", row.pattern},
               {"measured_s", seconds(row.measured)},
               {"iops", or_null(row.iops)},
               {"mib_per_s", or_null(row.mib_per_s)},
               {"p99_us", micros_or_null(row.p99)},
               {"errors", row.errors},
               {"status", row.status},
               {"grade", or_null(row.grade)},
               {"labels", Json::object()}};
  for (const auto& [key, value] : row.labels) json["labels"][key] = value;
  if (!row.is_run()) {
    json["steps"] = row.steps;
    json["steps_done"] = row.steps_done;
  }
  return json;
}

// "p99 us" becomes "p99_us", "MiB/s" becomes "mib_per_s".
std::string metric_key(const std::string& name) {
  std::string key;
  for (const char letter : name) {
    if (letter == '/') {
      key += "_per_";
    } else {
      key +=
          letter == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
  }
  return key;
}

Json rows_json(const Comparison& comparison) {
  Json rows = Json::array();
  for (const Comparison::Row& row : comparison.rows) {
    Json values = Json::array();
    Json differences = Json::array();
    Json ratios = Json::array();
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      values.push_back(or_null(row.values[i]));
      differences.push_back(or_null(row.difference(i)));
      ratios.push_back(or_null(row.ratio(i)));
    }
    rows.push_back({{"op", row.kind},
                    {"metric", metric_key(row.metric)},
                    {"values", std::move(values)},
                    {"differences", std::move(differences)},
                    {"ratios", std::move(ratios)}});
  }
  return rows;
}

Json series_head(const record::Series& series) {
  const std::string pool = series.steps.empty() ? "" : series.steps[0].plan.pool;
  return {{"series_id", series.id},     {"started", series.started},
          {"title", series.title},      {"suite", or_null(series.suite)},
          {"pool", or_null(pool)},      {"steps", series.steps.size()},
          {"steps_done", series.done()}};
}

Json steps_json(const std::vector<report::StepPair>& pairs) {
  Json steps = Json::array();
  for (const report::StepPair& pair : pairs) {
    const Comparison comparison = report::compare({*pair.one->record, *pair.other->record});
    steps.push_back({{"name", pair.one->name},
                     {"runs", comparison.names},
                     {"rows", rows_json(comparison)},
                     {"warnings", comparison.warnings}});
  }
  return steps;
}

}  // namespace

std::string list_json(const std::vector<ListRow>& rows) {
  Json json = {{"schema", "radosload.list/1"}, {"entries", Json::array()}};
  for (const ListRow& row : rows) json["entries"].push_back(entry_json(row));
  return json_text(json);
}

std::string compare_json(const std::vector<record::RunRecord>& runs) {
  const Comparison comparison = report::compare(runs);
  return json_text({{"schema", "radosload.compare/1"},
                    {"runs", comparison.names},
                    {"rows", rows_json(comparison)},
                    {"warnings", comparison.warnings}});
}

Result<std::string> compare_series_json(const std::vector<record::Series>& series) {
  Json json = {{"schema", "radosload.series-compare/1"},
               {"series", Json::array()},
               {"comparisons", Json::array()}};
  for (const record::Series& one : series) json["series"].push_back(series_head(one));
  for (std::size_t i = 1; i < series.size(); ++i) {
    RADOSLOAD_ASSIGN(const auto pairs, report::common_steps(series.front(), series[i]));
    const std::size_t most = std::max(series.front().steps.size(), series[i].steps.size());
    json["comparisons"].push_back(
        {{"with", series[i].id}, {"steps", steps_json(pairs)}, {"left_out", most - pairs.size()}});
  }
  return json_text(json);
}

}  // namespace radosload::views
