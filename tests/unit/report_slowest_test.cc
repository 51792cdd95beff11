// The table of the slowest operations, and where they waited.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "report/slowest_text.h"
#include "report/text.h"
#include "unit/report_support.h"

namespace radosload::report {
namespace {

using record::RunRecord;
using record::SlowOp;
using record::Wait;
using record::Waited;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

SlowOp slow_write() {
  return {.kind = OpKind::write,
          .object = "radosload.20261121-040012-9f3a.17",
          .pool = 3,
          .pg = 0x1f,
          .osd = 2,
          .offset = 8192,
          .bytes = 4096,
          .wall = seconds(1'763'691'837) + std::chrono::microseconds(873'709),
          .service = milliseconds(4300),
          .response = milliseconds(4300)};
}

TEST(SlowestTable, ShowsObjectPlaceAndWallClock) {
  RunRecord record;
  record.slowest = {slow_write()};
  EXPECT_EQ(slowest_table(record),
            "  slowest     s  OSD    PG    object                offset       sent (UTC)\n"
            "  write    4.30  osd.2  3.1f  ...21-040012-9f3a.17   8,192  02:23:57.873709\n");
}

TEST(SlowestTable, OfARunOfDays_HasTheDates) {
  RunRecord record;
  record.slowest = {slow_write()};
  record.header.started = "2025-11-21T02:00:00Z";
  EXPECT_THAT(slowest_table(record), HasSubstr("8,192  02:23:57.873709\n"));
  record.header.started = "2025-11-20T23:00:00Z";
  EXPECT_THAT(slowest_table(record), HasSubstr("  2025-11-21 02:23:57.873709\n"));
}

TEST(SlowestTable, EmptyColumns_AreLeftOut) {
  RunRecord record;
  record.slowest = {
      {.object = "object 3", .service = milliseconds(2), .response = milliseconds(2)}};
  EXPECT_THAT(slowest_table(record),
              AllOf(Not(HasSubstr("OSD")), Not(HasSubstr("PG")), Not(HasSubstr("outcome"))));
  record.slowest.push_back({.object = "object 4",
                            .service = milliseconds(1),
                            .response = milliseconds(2),
                            .answered = false});
  EXPECT_THAT(slowest_table(record), AllOf(HasSubstr("unanswered"), HasSubstr("service")));
  record.slowest.clear();
  EXPECT_EQ(slowest_table(record), "");
}

TEST(SlowestTable, SaysWhereEachWaited) {
  RunRecord record;
  record.slowest = {slow_write(), slow_write()};
  record.slowest[1].waited =
      Waited{.where = Wait::replica, .longest = milliseconds(4200), .replicas = {1}};
  EXPECT_THAT(slowest_table(record), HasSubstr("2. replica osd.1: 4.2 s"));
  record.slow_search =
      record::SlowSearch{.matched = 1, .missing = "osd.1 did not answer", .clocks = {}};
  EXPECT_EQ(slow_search_text(record),
            "1 of the 2 slowest operations found on their OSDs; osd.1 did not answer");
}

TEST(WaitedText, NamesTheOsd) {
  const auto text = [](Wait where, std::vector<std::int32_t> replicas = {}, bool ended = true) {
    return waited_text({.where = where,
                        .longest = milliseconds(500),
                        .replicas = std::move(replicas),
                        .reason = "waiting for missing object",
                        .ended = ended},
                       2);
  };
  EXPECT_EQ(text(Wait::to_osd), "before osd.2 received it: 500 ms");
  EXPECT_EQ(text(Wait::queue), "in the queue of osd.2: 500 ms");
  EXPECT_EQ(text(Wait::blocked), "blocked on osd.2: waiting for missing object: 500 ms");
  EXPECT_EQ(text(Wait::commit), "commit of osd.2: 500 ms");
  EXPECT_EQ(text(Wait::replica, {1, 3}), "a replica, one of osd.1, osd.3: 500 ms");
  EXPECT_EQ(text(Wait::replica, {1}, false), "replica osd.1: 500 ms until last asked");
}

}  // namespace
}  // namespace radosload::report
