#include <gtest/gtest.h>

#include "observe/osd_timing.h"
#include "support/files.h"

#include <fmt/format.h>

namespace radosload::observe {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(CephStamp, IsATimeSince1970) {
  EXPECT_EQ(parse_stamp("1970-01-02T00:00:01.500000+0000"), Time(hours(24) + milliseconds(1500)));
  EXPECT_EQ(parse_stamp("2026-11-24T12:00:00.000000+0000"), Time(seconds(1795521600)));
  EXPECT_EQ(parse_stamp("2026-11-24T13:30:00.000000+0130"), Time(seconds(1795521600)));
  EXPECT_EQ(parse_stamp("2026-11-24T12:00:00Z"), Time(seconds(1795521600)));
}

TEST(CephStamp, OtherTextsAreNone) {
  for (const char* const text :
       {"", "0.000000", "2026-11-24", "2026-13-24T12:00:00.0+0000", "1066-01-01T00:00:00.0+0000",
        "9999-01-01T00:00:00.0+0000", "2026-11-24T12:00:00.000000+1", "2026-02-30T00:00:00Z",
        "2026-11-24T12:00:0x.000000+0000"}) {
    EXPECT_EQ(parse_stamp(text), std::nullopt) << text;
  }
}

TEST(OsdTiming, RecordedAnswersOfBothReleases) {
  for (const std::string release : {"16.2.15", "18.2.7"}) {
    const bool tells = release == "18.2.7";
    const auto pgs = parse_pg_timings(test::fixture(release, "pg-ls-by-primary.json")).value();
    ASSERT_EQ(pgs.size(), 2U);
    EXPECT_FALSE(pgs[0].pgid.empty());
    EXPECT_TRUE(pgs[0].is("active"));
    EXPECT_GT(pgs[0].reported_epoch, 0U);
    EXPECT_TRUE(pgs[0].scrubbed && pgs[0].deep_scrubbed && pgs[0].became_active);
    EXPECT_EQ(pgs[0].scrub_duration.has_value(), tells);
    const auto bench = parse_osd_bench(test::fixture(release, "osd-bench.json")).value();
    EXPECT_EQ(bench.written, Bytes{409600});
    EXPECT_EQ(bench.block, kib(4));
    EXPECT_NEAR(radosload::seconds(bench.took), 0.508, 0.002);
    const auto db = parse_db_bytes(test::fixture(release, "osd0-perf-dump-bluefs.json")).value();
    EXPECT_EQ(db, Bytes(tells ? 31719424U : 308412416U));
    EXPECT_TRUE(parse_recovery(test::fixture(release, "status.json"))) << release;
  }
  const auto took = parse_compaction(test::fixture("16.2.15", "osd-compact.json")).value();
  EXPECT_NEAR(radosload::seconds(took), 1.412, 0.001);
  const auto ordered =
      parse_compactions(test::fixture("18.2.7", "osd0-perf-dump-rocksdb.json")).value();
  EXPECT_EQ(ordered.completed, 7U);
  EXPECT_FALSE(ordered.at_work);
  EXPECT_NEAR(radosload::seconds(ordered.last), 0.170, 0.001);
  const auto life = parse_osd_life(test::fixture("16.2.15", "osd-info.json")).value();
  EXPECT_TRUE(life.up);
  EXPECT_GT(life.up_from, 0U);
  EXPECT_FALSE(life.noout);
}

TEST(OsdTiming, IncompleteAnswers_AreErrors) {
  for (const char* const text : {"", "{}", "[]", "{\"elapsed_time\":-1}", "{\"elapsed_sec\":1e300}",
                                 "{\"bluefs\":{}}", "{\"pgmap\":7}"}) {
    EXPECT_FALSE(parse_compaction(text)) << text;
    EXPECT_FALSE(parse_compactions(text)) << text;
    EXPECT_FALSE(parse_osd_bench(text)) << text;
    EXPECT_FALSE(parse_db_bytes(text)) << text;
    EXPECT_FALSE(parse_osd_life(text)) << text;
    EXPECT_FALSE(parse_recovery(text)) << text;
  }
}

}  // namespace
}  // namespace radosload::observe
