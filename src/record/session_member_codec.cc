// The members of a session, as JSON.
#include <cmath>
#include <limits>

#include "record/codec.h"

#include <nlohmann/json.hpp>

namespace radosload::record::codec {

namespace {

constexpr double member_ns_in_us = 1e3;
constexpr double member_ns_in_s = 1e9;

Json member_us_or_null(const std::optional<Time>& time) {
  return time ? Json(static_cast<double>(time->count()) / member_ns_in_us) : Json();
}

Time member_time_at(const Json& object, const char* key, double ns) {
  const double value = number_at(object, key) * ns;
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (!(std::abs(value) <= exact)) refuse("a time of a member is out of range");
  return Time(std::llround(value));
}

std::optional<Time> member_us_at(const Json& object, const char* key) {
  if (object.at(key).is_null()) return std::nullopt;
  return member_time_at(object, key, member_ns_in_us);
}

Json member_json(const SessionMember& member) {
  return {{"number", member.number},
          {"who", member.who},
          {"run_id", member.run_id},
          {"from_s", seconds(member.from)},
          {"until_s", seconds(member.until)},
          {"ops", member.ops},
          {"lost", member.lost},
          {"iops", member.iops},
          {"p50_us", member_us_or_null(member.p50)},
          {"p99_us", member_us_or_null(member.p99)},
          {"start_delay_us", member_us_or_null(member.start_delay)},
          {"clock_bound_us", member_us_or_null(member.clock_bound)},
          {"missing", member.missing},
          {"stands_out", member.stands_out}};
}

SessionMember member_from(const Json& json) {
  const std::uint64_t number = count_at(json, "number");
  if (number > std::numeric_limits<std::uint32_t>::max()) refuse("there are too many members");
  return {.number = static_cast<std::uint32_t>(number),
          .who = string_at(json, "who"),
          .run_id = string_at(json, "run_id"),
          .from = member_time_at(json, "from_s", member_ns_in_s),
          .until = member_time_at(json, "until_s", member_ns_in_s),
          .ops = count_at(json, "ops"),
          .lost = count_at(json, "lost"),
          .iops = number_at(json, "iops"),
          .p50 = member_us_at(json, "p50_us"),
          .p99 = member_us_at(json, "p99_us"),
          .start_delay = member_us_at(json, "start_delay_us"),
          .clock_bound = member_us_at(json, "clock_bound_us"),
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
