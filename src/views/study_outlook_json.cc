#include "study/document.h"
#include "views/json_values.h"
#include "views/study_outlook.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using OutlookJson = nlohmann::ordered_json;

OutlookJson foreseen_json(const study::Foreseen& one) {
  const bool assessable = one.now.method != stats::Method::none;
  const auto number = [](const std::optional<double>& value) {
    return value ? OutlookJson(*value) : OutlookJson(nullptr);
  };
  return {{"base", one.base},
          {"other", one.other},
          {"metric", one.metric.empty() ? OutlookJson(nullptr) : OutlookJson(one.metric)},
          {"scope", stats::scope_name(one.now.scope)},
          {"method",
           assessable ? OutlookJson(stats::method_name(one.now.method)) : OutlookJson(nullptr)},
          {"pairs", one.now.pairs},
          {"n_a", one.now.n_a},
          {"n_b", one.now.n_b},
          {"level", one.now.level},
          {"least_p", one.now.least_p},
          {"possible", one.now.possible},
          {"smallest", number(one.now.smallest)},
          {"at_worst", number(one.now.at_worst)},
          {"smallest_with_twice_the_rounds", number(one.more_rounds.smallest)},
          {"smallest_with_twice_the_units", number(one.more_units.smallest)}};
}

}  // namespace

std::string outlook_json(const StudyOutlook& outlook) {
  // The plan and the schedule as the document of the study has them.
  OutlookJson document = OutlookJson::parse(study::study_json(outlook.document));
  OutlookJson json = {{"schema", "radosload.study-preview/1"}};
  for (const char* const key : {"plan", "units", "cells", "remarks"}) json[key] = document[key];
  json["length_s"] = outlook.length ? OutlookJson(seconds(*outlook.length)) : OutlookJson(nullptr);
  json["space"] = OutlookJson::array();
  for (const StudySpace& one : outlook.space) {
    json["space"].push_back({{"arm", one.arm},
                             {"load", one.load},
                             {"pool", one.pool},
                             {"objects", one.objects},
                             {"data_bytes", one.data.count},
                             {"raw_bytes", one.raw.count}});
  }
  json["missing"] = outlook.missing;
  json["warnings"] = outlook.warnings;
  json["spread_of"] = outlook.findable.spread_of.empty() ? OutlookJson(nullptr)
                                                         : OutlookJson(outlook.findable.spread_of);
  json["findable"] = OutlookJson::array();
  for (const study::Foreseen& one : outlook.findable.comparisons) {
    json["findable"].push_back(foreseen_json(one));
  }
  json["never"] = outlook.findable.never;
  return json_text(json);
}

}  // namespace radosload::views
