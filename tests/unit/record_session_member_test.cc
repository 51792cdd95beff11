// The members of a session, in records and journals.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

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
using ::testing::HasSubstr;
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

RC_GTEST_PROP(SessionMembers, InJournalAndRecord_ReadBack, ()) {
  const auto members = *rc::gen::container<std::vector<SessionMember>>(some_members());
  const std::vector<Interval> intervals = {interval_of({}, 0)};
  RunFooter footer = footer_for(intervals);
  footer.members = members;
  const auto line = decode_line(encode_line(footer), "a journal");
  RC_ASSERT(line.has_value());
  RC_ASSERT(std::get<RunFooter>(*line).members == members);
  const RunRecord record = folded(intervals, footer);
  RC_ASSERT(record.members == members);
  RC_ASSERT(from_json(to_json(record), "a record").value().members == members);
}

nlohmann::json with_a_member() {
  const std::vector<Interval> intervals = {interval_of({}, 0)};
  RunFooter footer = footer_for(intervals);
  footer.members = {{.number = 2,
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
                     .stands_out = true}};
  return nlohmann::json::parse(to_json(folded(intervals, footer)));
}

TEST(SessionMembers, InARecord_HaveSecondsAndMicroseconds) {
  EXPECT_EQ(with_a_member()["members"], nlohmann::json::parse(R"([{
      "number": 2, "who": "pid 7 on host b", "run_id": "20261125-090000000-abcd", "from_s": 0.0,
      "until_s": 5.0, "ops": 12, "lost": 1, "iops": 2.5, "p50_us": 610.0, "p99_us": null,
      "start_delay_us": 50.0, "clock_bound_us": 300.0, "missing": "it left (SIGINT)",
      "stands_out": true}])"));
}

TEST(SessionMembers, RunOfOneProcess_HasNone) {
  const std::vector<Interval> intervals = {interval_of({}, 0)};
  const std::string text = to_json(folded(intervals, footer_for(intervals)));
  nlohmann::json record = nlohmann::json::parse(text);
  EXPECT_TRUE(record["members"].is_null());
  record.erase("members");  // as in records of earlier versions
  EXPECT_TRUE(from_json(record.dump(), "a record").value().members.empty());
}

TEST(SessionMembers, DamagedMember_IsAnErrorAndNoCrash) {
  for (const char* const bad : {R"("x")", "-1", "1e300", "{}", "true"}) {
    nlohmann::json record = with_a_member();
    for (const char* const key : {"number", "who", "until_s", "ops", "p50_us", "stands_out"}) {
      nlohmann::json damaged = record;
      damaged["members"][0][key] = nlohmann::json::parse(bad);
      if (damaged["members"][0][key].type() == record["members"][0][key].type()) continue;
      if (key == std::string("p50_us") && std::string(bad) == "-1") continue;
      EXPECT_FALSE(from_json(damaged.dump(), "a record")) << key << " " << bad;
    }
  }
}

}  // namespace
}  // namespace radosload::record
