#include <tuple>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "report/each_text.h"
#include "report/osds_text.h"
#include "report/text.h"
#include "unit/report_support.h"

#include <fmt/format.h>

namespace radosload::report {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

// OSDs whose reads all take the time given for each of them.
record::RunRecord with_osds(const std::vector<Time>& times, int operations = 200) {
  record::RunRecord record = testing::run_of(testing::only(OpKind::read));
  record.osds.clear();
  record.kinds.clear();
  record::Cell all;
  for (std::size_t osd = 0; osd < times.size(); ++osd) {
    record::Cell cell;
    cell.osd = static_cast<std::int32_t>(osd);
    const auto ns = static_cast<std::uint64_t>(times[osd].count());
    for (int i = 0; i < operations; ++i) cell.latency.add(ns, ns);
    all.merge(cell);
    record.osds.push_back(cell);
  }
  record.kinds.push_back(all);
  return record;
}

record::RunRecord pinned_to(const std::string& osds, record::RunRecord record) {
  const std::string plan = record.header.plan.text();
  record.header.plan = record::testing::json_text(R"({"osd":")" + osds + R"(",)" + plan.substr(1));
  return record;
}

TEST(OsdsText, NamesTheOsdThatStandsOut) {
  EXPECT_EQ(slowest_text(with_osds({milliseconds(6), milliseconds(5), milliseconds(14)})),
            "osd.2: a read takes 14 ms there, where 33 % of them go, and 6 ms on the OSD in the "
            "middle of 3");
}

TEST(OsdsText, SaysThatABusyOsdMayOnlyBeBusy) {
  auto record = with_osds({milliseconds(6), milliseconds(5), milliseconds(14)});
  record::Cell& busy = record.osds.back();
  record.kinds.front().merge(busy);
  const record::Cell once = busy;
  busy.merge(once);
  EXPECT_THAT(slowest_text(record), HasSubstr("50 % of them go"));
  EXPECT_THAT(slowest_text(record), HasSubstr("--osd gives each its own"));
  EXPECT_THAT(slowest_text(pinned_to("0-2", record)), Not(HasSubstr("--osd")));
}

TEST(OsdsText, AccusesNobodyWhenAllAreMuchTheSame) {
  EXPECT_EQ(slowest_text(with_osds({milliseconds(6), milliseconds(5), milliseconds(8)})), "");
}

TEST(OsdsText, AccusesNobodyOnTooLittle) {
  EXPECT_EQ(slowest_text(with_osds({milliseconds(6), milliseconds(14)})), "")
      << "of two nobody can tell which one is as it should be";
  EXPECT_EQ(slowest_text(with_osds({milliseconds(6), milliseconds(5), milliseconds(14)}, 20)), "");
}

TEST(OsdsText, ATableShowsThePinnedOsds) {
  const auto record = with_osds({milliseconds(6), milliseconds(5), milliseconds(7)});
  EXPECT_THAT(text(record, ""), Not(HasSubstr("osd.1")));
  const std::string shown = text(pinned_to("0-2", record), "");
  EXPECT_THAT(shown, HasSubstr("osd.1  read  200"));
  for (const std::string& line : testing::lines_of(shown)) EXPECT_LE(line.size(), 100U) << line;
}

TEST(OsdsText, PinnedWritesOfReplicatedPoolsAreLabelled) {
  record::RunRecord writes = testing::run_of(testing::only(OpKind::write));
  EXPECT_EQ(led_text(writes), "") << "not pinned";
  EXPECT_THAT(led_text(pinned_to("3", writes)), HasSubstr("all 3 OSDs of its set"));
  EXPECT_EQ(led_text(pinned_to("3", testing::run_of(testing::only(OpKind::read)))), "");
}

TEST(OsdsText, ActingSetsAreNamed) {
  record::RunRecord record = pinned_to("3", testing::run_of(testing::only(OpKind::read)));
  record.header.environment = record::testing::json_text(
      R"({"osds":[{"id":3,"pgs":5,"acting":["3,1,2","3,2,1"],"acting_sets":2}]})");
  EXPECT_EQ(acting_text(record), "osd.3: 5 PGs on 3,1,2 and 3,2,1");
}

record::SeriesStep cell_of(int round, int osd, Time time) {
  record::SeriesStep step;
  step.name = fmt::format("round {} osd.{}", round, osd);
  step.settings = {{"round", std::to_string(round)}, {"osd", std::to_string(osd)}};
  step.state = record::StepState::done;
  step.record = with_osds({time}, 400);
  return step;
}

TEST(EachText, ARowForEachOsd) {
  record::Series series;
  series.suite = each_name;
  for (const auto& [round, osd, ms] :
       std::vector<std::tuple<int, int, int>>{{1, 3, 4}, {1, 0, 9}, {2, 0, 11}, {2, 3, 4}}) {
    series.steps.push_back(cell_of(round, osd, milliseconds(ms)));
  }
  series.steps.push_back(cell_of(3, 0, milliseconds(1)));
  series.steps.back().state = record::StepState::interrupted;
  const auto lines = testing::lines_of(each_text(series));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_THAT(lines[2], HasSubstr("osd.0       2"));
  EXPECT_THAT(lines[2], HasSubstr("10 ms (9 ms .. 11 ms)")) << "what did not end does not count";
  EXPECT_THAT(lines[3], HasSubstr("4 ms (4 ms .. 4 ms)"));
}

}  // namespace
}  // namespace radosload::report
