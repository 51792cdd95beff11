#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "timers_support.h"

namespace radosload::timers {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::json;
using testing::TimedWorld;

TEST(TimedCompaction, HasTheBytesOfRocksDbAndTheTimeInTheOsd) {
  TimedWorld world;
  world.job_takes = seconds(9);
  world.job_answer = std::string(R"({"elapsed_time":8.5})");
  const Row row = time_compaction(world.world(), 0, minutes(1));
  EXPECT_EQ(row.failure, "");
  EXPECT_EQ(row.elapsed, seconds(9));
  EXPECT_EQ(row.compact->in_osd, Time(milliseconds(8500)));
  EXPECT_EQ(row.compact->before, Bytes{1048576 + 1024});
  EXPECT_EQ(row.compact->after, Bytes{1048576 + 1024});
}

// An OSD that answers at once and compacts afterwards, as those of 18.2.7 do: it begins with an
// earlier compaction, which ends after 2 s, and its own follows until the given time.
struct LaterCompaction : TimedWorld {
  explicit LaterCompaction(double until) {
    job_answer = std::string("\n");
    cluster.rocksdb_now = [this, until] {
      const double now = cluster.after();
      return json{{"compact_completed", now >= until ? 8
                                        : now >= 2   ? 7
                                                     : 6},
                  {"compact_running", now < until ? 1 : 0},
                  {"compact_queue_len", now < 2 ? 1 : 0},
                  {"compact_lasted", now >= until ? until - 2 : 0.5}};
    };
  }
};

TEST(TimedCompaction, OfAnOsdThatAnswersAtOnce_EndsWithTheCompaction) {
  LaterCompaction world(6.5);
  const Row row = time_compaction(world.world(), 0, minutes(1));
  EXPECT_EQ(row.failure, "");
  EXPECT_EQ(row.compact->in_osd, Time(milliseconds(4500)));
  EXPECT_GE(row.elapsed, Time(milliseconds(6500)));
  EXPECT_LT(row.elapsed, seconds(7));
  EXPECT_TRUE(row.compact->after);
}

TEST(TimedCompaction, OfAnOsdThatAnswersAtOnce_HasItsLimitAndCtrlC) {
  LaterCompaction slow(600);
  const Row late = time_compaction(slow.world(), 0, minutes(1));
  EXPECT_THAT(late.failure, HasSubstr("within 60 s; osd.0 continues its compaction"));
  EXPECT_FALSE(late.compact->after);
  LaterCompaction interrupted(600);
  interrupted.interrupted_at = seconds(3);
  const Row ended = time_compaction(interrupted.world(), 0, minutes(1));
  EXPECT_THAT(ended.failure, HasSubstr("interrupted; osd.0 continues"));
}

TEST(TimedCompaction, WithoutTheTimeAndWithoutCounters_IsNotTakenForDone) {
  TimedWorld world;
  world.job_answer = std::string("\n");
  const Row row = time_compaction(world.world(), 0, minutes(1));
  EXPECT_THAT(row.failure, HasSubstr("did not report how long"));
  EXPECT_FALSE(row.compact->in_osd);
}

// A read takes 1 ms, and 7 ms while the OSD works.
class TwoSpeeds final : public Probe {
 public:
  explicit TwoSpeeds(const TimedWorld& world) : m_world(world) {}
  ProbeTimes take() override {
    const bool working = !m_world.jobs.empty();
    return probe_times({milliseconds(working ? 7 : 1)}, working ? 2 : 0);
  }

 private:
  const TimedWorld& m_world;
};

TEST(TimedCompaction, ReadsAreProbedBeforeItIsOrderedAndMeanwhile) {
  TimedWorld world;
  world.job_takes = seconds(9);
  world.job_answer = std::string(R"({"elapsed_time":8.5})");
  World real = world.world();
  real.start_probe = [&](std::int32_t osd) {
    EXPECT_EQ(osd, 3);
    return std::make_unique<TwoSpeeds>(world);
  };
  const Row row = time_compaction(real, 3, minutes(1), "hdd");
  EXPECT_EQ(row.elapsed, seconds(9)) << "without the time of the probe before";
  ASSERT_TRUE(row.compact->probe);
  EXPECT_EQ(row.compact->probe->pool, "hdd");
  EXPECT_EQ(row.compact->probe->before.longest, Time(milliseconds(1)));
  EXPECT_EQ(row.compact->probe->during.longest, Time(milliseconds(7)));
  EXPECT_EQ(row.compact->probe->during.failed, 2U);
}

TEST(TimedCompaction, InterruptedInTheProbe_NothingIsOrdered) {
  TimedWorld world;
  world.interrupted_at = seconds(1);
  World real = world.world();
  real.start_probe = [&](std::int32_t) { return std::make_unique<TwoSpeeds>(world); };
  const Row row = time_compaction(real, 3, minutes(1), "hdd");
  EXPECT_THAT(row.failure, HasSubstr("before the compaction was ordered"));
  EXPECT_TRUE(world.jobs.empty());
}

TEST(ProbedReads, HaveAPercentileOnlyWithEnoughOfThem) {
  std::vector<Time> answered;
  for (int i = 1; i <= 400; ++i) answered.emplace_back(milliseconds(i));
  const ProbeTimes times = probe_times(answered, 0);
  EXPECT_EQ(times.reads, 400U);
  EXPECT_EQ(times.median, Time(milliseconds(200)));
  EXPECT_EQ(times.p99, Time(milliseconds(396)));
  EXPECT_EQ(times.longest, Time(milliseconds(400)));
  EXPECT_EQ(times.mean, Time(std::chrono::microseconds(200500)));
  EXPECT_FALSE(probe_times({milliseconds(1)}, 0).p99);
  EXPECT_EQ(probe_times({}, 4), (ProbeTimes{.failed = 4}));
}

TEST(TimedCompaction, WithoutAnAnswerWithinTheLimit_SaysThatItContinues) {
  TimedWorld world;
  world.job_takes = minutes(5);
  const Row row = time_compaction(world.world(), 0, minutes(1));
  EXPECT_THAT(row.failure, HasSubstr("no answer within 60 s"));
  EXPECT_THAT(row.failure, HasSubstr("osd.0 continues"));
  EXPECT_TRUE(row.compact->before);
  EXPECT_FALSE(row.compact->after);
}

TEST(TimedBench, AsksForNoMoreThanOsdsAllow) {
  EXPECT_EQ(bench_cap(kib(4)), Bytes{12288000});
  EXPECT_EQ(bench_cap(mib(4)), Bytes{3145728000});
  TimedWorld world;
  world.job_answer = std::string(
      R"({"bytes_written":12288000,"blocksize":4096,"elapsed_sec":2,"bytes_per_sec":6144000,
          "iops":1500})");
  const Row row = time_bench(world.world(), 0, {.block = kib(4)});
  EXPECT_THAT(world.jobs, ElementsAre(R"({"prefix": "bench", "count": 12288000, "size": 4096})"));
  EXPECT_EQ(row.bench->iops, 1500);
  EXPECT_EQ(row.bench->in_osd, seconds(2));
  time_bench(world.world(), 0, {.block = mib(4)});
  EXPECT_THAT(world.jobs.back(), HasSubstr("1073741824"));
}

TEST(TimedBench, MoreThanTheCap_TheOsdsRefusalIsShownWithTheCap) {
  TimedWorld world;
  world.job_answer = fail({.attempt = "get 'bench' from",
                           .subject = "osd.0",
                           .reason = "'count' values greater than 12288000",
                           .errnum = EINVAL});
  const Row row = time_bench(world.world(), 0, {.block = kib(4), .bytes = mib(40)});
  EXPECT_THAT(row.failure, HasSubstr("greater than 12288000"));
  EXPECT_THAT(row.failure, HasSubstr("at most 11.7 MiB in blocks of 4 KiB"));
}

// 1000 copies that go at the given rate in each quarter of 80 s.
struct BackfillingWorld : TimedWorld {
  explicit BackfillingWorld(std::vector<double> given) : rates(std::move(given)) {
    cluster.status_now = [this] {
      double left = 1000;
      double now = cluster.after();
      for (const double rate : rates) {
        left -= rate * std::clamp(now, 0.0, 20.0);
        now -= 20;
      }
      return json{{"pgmap",
                   {{"misplaced_objects", static_cast<std::uint64_t>(std::max(0.0, left))},
                    {"num_objects", 100},
                    {"data_bytes", 100 * 1048576},
                    {"recovering_bytes_per_sec", 14000000}}}};
    };
  }
  std::vector<double> rates;
};

TEST(TimedBackfill, RatesTheRangeAndWhatIsLeft) {
  BackfillingWorld world({2, 4, 6, 4});
  const Row row = watch_backfill(
      world.world(), {.limit = seconds(80), .convert = {4, 5}, .convert_bytes = mib(600)});
  ASSERT_TRUE(row.backfill);
  const BackfillTimes& seen = *row.backfill;
  EXPECT_EQ(seen.at_start, 1000U);
  EXPECT_EQ(seen.left, 1000U - 320U);
  EXPECT_DOUBLE_EQ(seen.sustained, 4);
  EXPECT_DOUBLE_EQ(seen.sustained_bytes, 4 * 1048576);
  EXPECT_DOUBLE_EQ(seen.shown_bytes, 14000000);
  ASSERT_TRUE(seen.range && seen.eta && seen.cost);
  EXPECT_DOUBLE_EQ(seen.range->low, 2);
  EXPECT_DOUBLE_EQ(seen.range->high, 6);
  EXPECT_NEAR(radosload::seconds(seen.eta->low), 680.0 / 6, 0.01);
  EXPECT_NEAR(radosload::seconds(*seen.eta->high), 680.0 / 2, 0.01);
  EXPECT_NEAR(radosload::seconds(seen.cost->low), 100, 0.01);
  EXPECT_NEAR(radosload::seconds(*seen.cost->high), 300, 0.01);
  EXPECT_TRUE(world.cluster.told.empty()) << "it only watches";
}

TEST(TimedBackfill, NoProgressForAQuarterOfTheTime_EndIsUnknown) {
  BackfillingWorld world({2, 0, 6, 4});
  const Row row = watch_backfill(world.world(), {.limit = seconds(80)});
  ASSERT_TRUE(row.backfill->eta);
  EXPECT_FALSE(row.backfill->eta->high);
}

TEST(TimedBackfill, EndsWhenNothingIsLeft) {
  BackfillingWorld world({40, 40});
  const Row row = watch_backfill(world.world(), {.limit = minutes(10)});
  EXPECT_EQ(row.backfill->left, 0U);
  EXPECT_EQ(row.elapsed, seconds(25));
  EXPECT_FALSE(row.backfill->eta);
}

}  // namespace
}  // namespace radosload::timers
