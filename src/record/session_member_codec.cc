// The members of a session, as JSON.
#include <limits>

#include "record/codec.h"

#include <nlohmann/json.hpp>

namespace radosload::record::codec {

namespace {

Json member_json(const SessionMember& member) {
  return {{"number", member.number},
          {"who", member.who},
          {"run_id", member.run_id},
          {"from_s", seconds(member.from)},
          {"until_s", seconds(member.until)},
          {"ops", member.ops},
          {"lost", member.lost},
          {"iops", member.iops},
          {"p50_us", us_or_null(member.p50)},
          {"p99_us", us_or_null(member.p99)},
          {"start_delay_us", us_or_null(member.start_delay)},
          {"clock_bound_us", us_or_null(member.clock_bound)},
          {"missing", member.missing},
          {"stands_out", member.stands_out}};
}

SessionMember member_from(const Json& json) {
  const std::uint64_t number = count_at(json, "number");
  if (number > std::numeric_limits<std::uint32_t>::max()) refuse("there are too many members");
  return {.number = static_cast<std::uint32_t>(number),
          .who = string_at(json, "who"),
          .run_id = string_at(json, "run_id"),
          .from = time_from(json.at("from_s"), ns_per_s),
          .until = time_from(json.at("until_s"), ns_per_s),
          .ops = count_at(json, "ops"),
          .lost = count_at(json, "lost"),
          .iops = number_at(json, "iops"),
          .p50 = us_from(json.at("p50_us")),
          .p99 = us_from(json.at("p99_us")),
          .start_delay = us_from(json.at("start_delay_us")),
          .clock_bound = us_from(json.at("clock_bound_us")),
          .missing = string_at(json, "missing"),
          .stands_out = bool_at(json, "stands_out")};
}

}  // namespace

Json members_json(const std::vector<SessionMember>& members) {
  if (members.empty()) return {};
  Json list = Json::array();
  for (const SessionMember& member : members) list.push_back(member_json(member));
  return list;
}

std::vector<SessionMember> members_from(const Json& object) {
  std::vector<SessionMember> members;
  const auto list = object.find("members");
  if (list == object.end() || list->is_null()) return members;
  for (const Json& member : *list) members.push_back(member_from(member));
  return members;
}

}  // namespace radosload::record::codec
