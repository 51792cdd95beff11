// What `radosload watch` prints, of windows that are made here.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "unit/widest_line.h"
#include "views/watch_text.h"

#include <nlohmann/json.hpp>

namespace radosload::views {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

record::OsdWindow window_of(std::int32_t osd) {
  record::OsdWindow window{.osd = osd, .kind = "plain", .from = seconds(0), .to = seconds(10)};
  window.growth.times["op_latency"] = {.count = 500, .seconds = 2};
  window.growth.times["kv_flush"] = {};
  window.growth.counts["op"] = 500;
  window.growth.levels["pgs"] = 32;
  return window;
}

Watched two_osds() {
  Watched watched{.started = "2026-11-24T17:00:00Z", .length = seconds(10), .interval = seconds(5)};
  watched.windows = {window_of(0), {.osd = 3, .missing = "it was restarted"}};
  watched.notes = {"osd.3 was marked down and came back"};
  return watched;
}

TEST(WatchText, SaysHowManyOsdsAndOverWhatTime) {
  const std::string text = watch_text(two_osds());
  EXPECT_THAT(text,
              AllOf(HasSubstr("2 OSDs"), HasSubstr("over 10 s"), HasSubstr("2026-11-24T17:00:00Z"),
                    HasSubstr("osd.3 was marked down"), Not(HasSubstr("interrupted"))));
  EXPECT_LE(widest_line(text), 80U);
}

TEST(WatchText, InterruptedWatch_IsMarkedAsSuch) {
  Watched watched = two_osds();
  watched.interrupted = true;
  EXPECT_THAT(watch_text(watched), HasSubstr("interrupted before its time"));
  EXPECT_EQ(json::parse(watch_json(watched))["status"], "interrupted");
}

TEST(WatchText, EndsWithTheGradeAndItsReasons) {
  Watched watched = two_osds();
  EXPECT_THAT(watch_text(watched), HasSubstr("\ngrade  not graded"));
  watched.grade.value = record::GradeValue::clean;
  EXPECT_THAT(watch_text(watched), HasSubstr("\ngrade  clean\n"));
  watched.grade = {.value = record::GradeValue::contaminated,
                   .reasons = {"PG 2.1f was deep-scrubbed (osd.1), 12 to 18 s"}};
  EXPECT_THAT(watch_text(watched),
              HasSubstr("\ngrade  contaminated: PG 2.1f was deep-scrubbed (osd.1), 12 to 18 s\n"));
}

TEST(WatchJson, HasTheGrade) {
  Watched watched = two_osds();
  EXPECT_EQ(json::parse(watch_json(watched))["grade"]["value"], "unwatched");
  watched.grade = {.value = record::GradeValue::contaminated, .reasons = {"the reason"}};
  const json grade = json::parse(watch_json(watched))["grade"];
  EXPECT_EQ(grade["value"], "contaminated");
  EXPECT_EQ(grade["reasons"], json({"the reason"}));
}

TEST(WatchJson, HasAnEntryForEachOsd) {
  const json document = json::parse(watch_json(two_osds()));
  EXPECT_EQ(document["schema"], "radosload.watch/1");
  EXPECT_EQ(document["status"], "complete");
  EXPECT_EQ(document["watched_s"], 10.0);
  ASSERT_THAT(document["osds"], SizeIs(2));
  const json& first = document["osds"]["osd.0"]["counters"];
  EXPECT_EQ(first["missing"], "");
  EXPECT_EQ(first["times"]["op_latency"]["mean_us"], 4'000.0);
  EXPECT_TRUE(first["times"]["kv_flush"]["mean_us"].is_null()) << "no operation, no mean";
  EXPECT_EQ(first["counts"]["op"], 500);
  EXPECT_EQ(first["levels"]["pgs"], 32);
  const json& third = document["osds"]["osd.3"]["counters"];
  EXPECT_EQ(third["missing"], "it was restarted");
  EXPECT_TRUE(third["kind"].is_null());
}

TEST(WatchFrame, BeforeTheFirstFigures_SaysWhenTheyCome) {
  const auto lines = watch_frame(
      {.elapsed = seconds(2), .length = seconds(60), .interval = seconds(5)}, 1, 79, 24);
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines[0], "2 s of 60 s, 1 OSD; first figures after 5 s. Ctrl-C ends the watch.");
}

TEST(WatchFrame, ShowsTheNewestDisturbance) {
  const auto lines = watch_frame({.elapsed = seconds(2),
                                  .length = seconds(60),
                                  .interval = seconds(5),
                                  .disturbed = {"the mons held an election", "osd.3 went down"}},
                                 1, 79, 24);
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[1], "contaminated: osd.3 went down, and 1 before");
}

TEST(WatchFrame, FitsAnyScreen_AndSaysWhatIsLeftOut) {
  WatchFrame frame{.elapsed = seconds(7), .length = seconds(60), .interval = seconds(5)};
  for (std::int32_t osd = 0; osd < 100; ++osd) frame.windows.push_back(window_of(osd));
  for (const bool disturbed : {false, true}) {
    if (disturbed) frame.disturbed = {"PG 2.1f was scrubbed (osd.1)", "osd.3 was restarted"};
    for (const std::size_t rows : {2U, 3U, 4U, 10U, 24U, 60U}) {
      for (const std::size_t columns : {10U, 40U, 79U}) {
        const auto lines = watch_frame(frame, 100, columns, rows);
        EXPECT_LT(lines.size(), rows);
        for (const std::string& line : lines) EXPECT_LE(line.size(), columns) << line;
      }
    }
  }
  EXPECT_THAT(watch_frame(frame, 100, 79, 24).back(), HasSubstr("more in the table at the end"));
}

}  // namespace
}  // namespace radosload::views
