#include <tuple>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "report/each_text.h"
#include "report/osd_figures_text.h"
#include "report/routing_text.h"
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
  record.header.plan.pins.osds = osds;
  return record;
}

TEST(OsdsText, SlowOsd_IsNamed) {
  EXPECT_EQ(slowest_text(with_osds({milliseconds(6), milliseconds(5), milliseconds(14)})),
            "osd.2: mean read 14 ms; median OSD 6 ms (3 OSDs); osd.2 serves 33 % of reads");
}

TEST(OsdsText, BusyOsd_TextNamesItsShareOfTheLoad) {
  auto record = with_osds({milliseconds(6), milliseconds(5), milliseconds(14)});
  record::Cell& busy = record.osds.back();
  record.kinds.front().merge(busy);
  const record::Cell once = busy;
  busy.merge(once);
  EXPECT_THAT(slowest_text(record), HasSubstr("osd.2 serves 50 % of reads"));
  EXPECT_THAT(slowest_text(record), HasSubstr("--osd gives each OSD a load of its own"));
  EXPECT_THAT(slowest_text(pinned_to("0-2", record)), Not(HasSubstr("--osd")));
}

TEST(OsdsText, SimilarOsds_NoneIsNamed) {
  EXPECT_EQ(slowest_text(with_osds({milliseconds(6), milliseconds(5), milliseconds(8)})), "");
}

TEST(OsdsText, TooFewOperations_NoOsdIsNamed) {
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
  record.header.environment =
      record::testing::environment_of(R"({"osds":[{"id":3,"pgs":5,"acting":["3,1,2","3,2,1"]}]})");
  EXPECT_EQ(acting_text(record), "osd.3: 5 PGs on 3,1,2 and 3,2,1");
}

record::Routing routed() {
  return {.samples = 20,
          .remapped = 0,
          .osds = {{.osd = 3,
                    .sent = 12'345,
                    .answered = 12'345,
                    .sampled = 57,
                    .there = 57,
                    .served = ServedCounters{.op = 12'351, .op_r = 12'351}},
                   {.osd = 5, .sent = 7, .answered = 7, .sampled = 0, .there = 0, .served = {}}},
          .strays = {},
          .unsampled = {},
          .uncounted = {}};
}

TEST(RoutingText, ShowsSentSampledAndCountedOperations) {
  record::RunRecord record = pinned_to("3,5", testing::run_of(testing::only(OpKind::read)));
  EXPECT_EQ(routing_text(record), "") << "a record of before";
  record.routing = routed();
  const auto rows = testing::lines_of(routing_table(record));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_THAT(rows[1], HasSubstr("osd.3    12,345  57 of 57      +12,351"));
  EXPECT_THAT(rows[1], HasSubstr("99.9 %")) << "six operations were of others";
  EXPECT_THAT(rows[2], HasSubstr("osd.5         7         -            -"));
  EXPECT_EQ(routing_text(record), "verified: 57 of 57 sampled operations");
  const std::string shown = text(record, "");
  EXPECT_THAT(shown, HasSubstr("57 of 57"));
  for (const std::string& line : testing::lines_of(shown)) EXPECT_LE(line.size(), 100U) << line;
}

TEST(RoutingText, ReportsMisroutedAndUncheckedOperations) {
  record::RunRecord record = pinned_to("3", testing::run_of(testing::only(OpKind::read)));
  record.routing = routed();
  record.routing->osds[0].there = 55;
  record.routing->strays = {{.meant = 3, .sent = 5, .count = 2}};
  EXPECT_EQ(routing_text(record), "NOT verified: 2 of 57 sampled operations sent to another OSD");
  record.routing = record::Routing{};
  record.routing->unsampled = "no socket";
  record.routing->uncounted = "no rights";
  EXPECT_EQ(routing_text(record), "not verified: no socket; OSD counters missing: no rights");
  EXPECT_EQ(routing_table(record), "");
}

TEST(RoutingText, WithoutPinsOrCounters_IsOneLine) {
  record::RunRecord record = testing::run_of(testing::only(OpKind::read));
  record.routing = routed();
  record.routing->osds[0].served.reset();
  EXPECT_EQ(routing_table(record), "");
  EXPECT_THAT(routing_text(record), HasSubstr("57 of 57 sampled operations"));
  record.routing = record::Routing{};
  record.routing->unsampled = "a list has no one object";
  EXPECT_EQ(routing_text(record), "");
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
  EXPECT_THAT(lines[0], HasSubstr("latency in ms"));
  EXPECT_THAT(lines[2], HasSubstr("osd.0       2"));
  EXPECT_THAT(lines[2], HasSubstr("10.0 (9.00 .. 11.0)")) << "what did not end does not count";
  EXPECT_THAT(lines[3], HasSubstr("4.00 (4.00 .. 4.00)"));
}

}  // namespace
}  // namespace radosload::report
