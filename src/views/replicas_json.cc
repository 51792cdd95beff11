#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "views/json_values.h"
#include "views/replicas_text.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using Json = nlohmann::ordered_json;
using stats::Member;
using stats::Verdict;

Json effect_json(const std::optional<stats::Effect>& effect) {
  if (!effect) return nullptr;
  return {{"factor", std::exp(effect->estimate)},
          {"low", std::exp(effect->low)},
          {"high", std::exp(effect->high)}};
}

// Null where lost writes stand: it is not known.
Json tail_json(const std::optional<stats::TailTime>& tail) {
  if (!tail || tail->beyond) return nullptr;
  return micros_or_null(tail->time);
}

// Scripts rely on these names, so they do not follow the text.
const char* verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::slow:
      return "slow";
    case Verdict::fast:
      return "fast";
    case Verdict::alike:
      return "like the others";
    case Verdict::unclear:
      return "inconclusive";
    case Verdict::scarce:
      return "too few PGs";
    case Verdict::inseparable:
      return "not identifiable";
  }
  return "";
}

Json member_json(const ReplicaStudy& study, std::size_t place) {
  const Member& member = study.replicas.told.members[place];
  std::set<std::string> hosts;
  std::set<std::string> classes;
  std::set<std::string> drives;
  for (const std::int32_t id : member.ids) {
    const placement::Osd* const osd = study.osds.find(id);
    if (osd == nullptr) continue;
    hosts.insert(osd->host());
    classes.insert(osd->device_class);
    drives.insert(osd->data.model.empty() ? osd->data.names : osd->data.model);
  }
  return {{"ids", member.ids},
          {"hosts", hosts},
          {"classes", classes},
          {"drives", drives},
          {"pgs", member.groups},
          {"writes", member.operations},
          {"effect", effect_json(member.effect)},
          {"p99_us_without", tail_json(study.replicas.p99_without[place])},
          {"verdict", verdict_word(member.told)},
          {"peers", member.peers}};
}

}  // namespace

std::string replicas_json(const ReplicaStudy& study) {
  const auto& told = study.replicas.told;
  const auto& left_out = study.replicas.left_out;
  const record::RunRecord& record = study.record;
  Json json = {{"schema", "radosload.replicas/1"},
               {"run", record.header.run_id},
               {"pool", study.sets.pool},
               {"measured_s", seconds(record.measured)}};
  json["grade"] = {{"value", record::grade_name(record.grade.value)},
                   {"reasons", record.grade.reasons}};
  json["warnings"] = record.warnings;
  json["rules"] = {{"level", study.rules.level}, {"least_effect", study.rules.least_effect}};
  json["writes"] = told.operations;
  json["pgs"] = told.groups;
  json["pool_pgs"] = study.replicas.pool_pgs;
  json["set_size"] = study.replicas.set_size;
  json["p99_us"] = tail_json(study.replicas.p99);
  json["lost"] = study.replicas.lost;
  json["left_out"] = {{"moved", left_out.moved},
                      {"incomplete", left_out.incomplete},
                      {"unknown", left_out.unknown}};
  json["osds"] = Json::array();
  json["slow"] = Json::array();
  for (std::size_t i = 0; i < told.members.size(); ++i) {
    json["osds"].push_back(member_json(study, i));
    if (told.members[i].told != Verdict::slow) continue;
    for (const std::int32_t id : told.members[i].ids) json["slow"].push_back(id);
  }
  json["peers"] = Json::array();
  for (const auto& peers : told.peers) {
    Json ids = Json::array();
    for (const std::size_t i : peers) {
      for (const std::int32_t id : told.members[i].ids) ids.push_back(id);
    }
    json["peers"].push_back(std::move(ids));
  }
  json["text"] = replicas_verdict(study);
  return json_text(json);
}

}  // namespace radosload::views
