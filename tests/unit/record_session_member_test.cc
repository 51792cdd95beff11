// The members of a session, in records and journals.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "record/journal.h"
#include "record/record_codec.h"
#include "unit/record_support.h"

#include <nlohmann/json.hpp>

namespace radosload::record {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;
using testing::folded;
using testing::footer_for;
using testing::interval_of;

rc::Gen<std::optional<Time>> times_or_none() {
  return rc::gen::exec([]() -> std::optional<Time> {
    if (*rc::gen::arbitrary<bool>()) return std::nullopt;
    return Time(*rc::gen::inRange<std::int64_t>(-1'000'000, 9'000'000'000));
  });
}

rc::Gen<SessionMember> some_members() {
  return rc::gen::exec([] {
    const Time from(*rc::gen::inRange<std::int64_t>(0, 60'000'000'000));
    return SessionMember{.number = *rc::gen::arbitrary<std::uint32_t>(),
                         .who = *rc::gen::element<std::string>("", "pid 7 on host b"),
                         .run_id = *rc::gen::element<std::string>("", "20261125-090000000-abcd"),
                         .from = from,
                         .until = from + seconds(*rc::gen::inRange(0, 100)),
                         .ops = *rc::gen::arbitrary<std::uint64_t>(),
                         .lost = *rc::gen::arbitrary<std::uint64_t>(),
                         .iops = *rc::gen::element(0.0, 1.5, 123'456.25),
                         .p50 = *times_or_none(),
                         .p99 = *times_or_none(),
                         .start_delay = *times_or_none(),
                         .clock_bound = *times_or_none(),
                         .missing = *rc::gen::element<std::string>("", "it left (SIGINT)"),
                         .stands_out = *rc::gen::arbitrary<bool>()};
  });
}

// Folded like the record of a session.
RunRecord record_with_members(std::vector<SessionMember> members) {
  RunFooter footer = footer_for({interval_of({})});
  footer.members = std::move(members);
  Folder folder(testing::a_header());
  folder.add(interval_of({}));
  folder.add(footer);
  return folder.record();
}

RC_GTEST_PROP(SessionMembers, InJournalAndRecord_ReadBack, ()) {
  const auto members = *rc::gen::container<std::vector<SessionMember>>(some_members());
  RunFooter footer = footer_for({interval_of({})});
  footer.members = members;
  const auto line = decode_line(encode_line(footer), "x");
  RC_ASSERT(line.has_value());
  RC_ASSERT(std::get<RunFooter>(*line) == footer);
  const RunRecord record = record_with_members(members);
  RC_ASSERT(record.members == members);
  const auto again = from_json(to_json(record), "x");
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == record);
}

nlohmann::json with_a_member() {
  const RunRecord record = record_with_members({{.number = 2,
                                                 .who = "pid 7 on host b",
                                                 .run_id = "20261125-090000000-abcd",
                                                 .until = seconds(5),
                                                 .ops = 12,
                                                 .lost = 1,
                                                 .iops = 2.5,
                                                 .p50 = microseconds(610),
                                                 .start_delay = microseconds(50),
                                                 .clock_bound = microseconds(300),
                                                 .missing = "it left (SIGINT)",
                                                 .stands_out = true}});
  return nlohmann::json::parse(to_json(record));
}

TEST(SessionMembers, InARecord_HaveSecondsAndMicroseconds) {
  constexpr const char* expected = R"json([{
      "number": 2, "who": "pid 7 on host b", "run_id": "20261125-090000000-abcd", "from_s": 0.0,
      "until_s": 5.0, "ops": 12, "lost": 1, "iops": 2.5, "p50_us": 610.0, "p99_us": null,
      "start_delay_us": 50.0, "clock_bound_us": 300.0, "missing": "it left (SIGINT)",
      "stands_out": true}])json";
  EXPECT_EQ(with_a_member()["members"], nlohmann::json::parse(expected));
}

TEST(SessionMembers, RunOfOneProcess_HasNone) {
  nlohmann::json record = nlohmann::json::parse(to_json(folded({interval_of({})})));
  EXPECT_TRUE(record["members"].is_null());
  record.erase("members");  // as in records of earlier versions
  EXPECT_TRUE(from_json(record.dump(), "x").value().members.empty());
}

TEST(SessionMembers, DamagedMember_IsAnErrorAndNoCrash) {
  const nlohmann::json record = with_a_member();
  const std::map<std::string, std::string> wrong = {
      {"number", "4294967296"}, {"who", "7"},         {"until_s", "1e300"}, {"ops", "-1"},
      {"p50_us", "true"},       {"stands_out", "{}"}, {"missing", "null"},  {"run_id", "[]"}};
  for (const auto& [key, value] : wrong) {
    nlohmann::json damaged = record;
    damaged["members"][0][key] = nlohmann::json::parse(value);
    EXPECT_FALSE(from_json(damaged.dump(), "x")) << key;
  }
}

}  // namespace
}  // namespace radosload::record
