#include <cmath>

#include <gtest/gtest.h>

#include "radosload/op.h"

#include <gmock/gmock.h>

#include "target/null_target.h"
#include "target/sim_model.h"

namespace radosload::target {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

TEST(SimModel, EveryKeyIsUnderstood) {
  const auto model = parse_sim(
      "latency=lognormal:2ms:0.5,osds=7,servers=2,slow=3:4,error=EIO:0.01,error=ENOENT:0.02,"
      "stall=2s:1s,stall=5s:1s:3,lost=0.1,never=0.2,lose=0.3,tear=0.4,reorder=0.5,misdirect=0.6");
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_EQ(model->osds, 7U);
  EXPECT_EQ(model->servers, 2U);
  EXPECT_EQ(model->factor(3), 4);
  EXPECT_EQ(model->factor(2), 1);
  ASSERT_EQ(model->failures.size(), 2U);
  EXPECT_EQ(model->failures[0].rc, -EIO);
  EXPECT_EQ(model->stalls[0].osd, no_osd);
  EXPECT_EQ(model->stalls[1].osd, 3);
  EXPECT_EQ(model->lost, 0.1);
  EXPECT_EQ(model->never, 0.2);
  EXPECT_EQ(model->lose, 0.3);
  EXPECT_EQ(model->tear, 0.4);
  EXPECT_EQ(model->reorder, 0.5);
  EXPECT_EQ(model->misdirect, 0.6);
  EXPECT_TRUE(model->keeps_content);
  EXPECT_FALSE(parse_sim("lost=0.1")->keeps_content);
}

TEST(SimModel, UnknownKey_IsAUsageErrorThatNamesIt) {
  for (const char* text :
       {"latency", "latency=", "latency=exp", "latency=exp:1ms:2", "latency=gauss:1ms", "osds=0",
        "osds=x", "slow=1", "slow=1:-2", "error=EWHAT:0.1", "error=EIO:1.5", "error=EIO:nan",
        "stall=1s", "stall=1s:1s:1:1", "latency=uniform:2ms:1ms", "lost=2", "lose=2", ",",
        "speed=1"}) {
    const auto model = parse_sim(text);
    ASSERT_FALSE(model) << text;
    EXPECT_EQ(model.error().exit, Exit::usage) << text;
  }
  EXPECT_THAT(parse_sim("speed=1").error().message(), HasSubstr("'speed=1'"));
}

TEST(SimModel, LatencyOfZero_IsRefusedBecauseTimeWouldStandStill) {
  for (const char* text :
       {"latency=const:0", "latency=uniform:0:0", "latency=exp:0s", "slow=1:0"}) {
    const auto model = parse_sim(text);
    ASSERT_FALSE(model) << text;
    EXPECT_EQ(model.error().exit, Exit::usage) << text;
  }
  EXPECT_THAT(parse_sim("latency=const:0").error().message(),
              HasSubstr("operations must take some time"));
  EXPECT_TRUE(parse_sim("latency=uniform:0:1ms"));
}

TEST(SimModel, KeyThatNullDoesNotSupport_ErrorNamesTheTargetThatDoes) {
  EXPECT_TRUE(parse_pretended("latency=exp:1ms,osds=7"));
  const auto model = parse_pretended("slow=3:4");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().exit, Exit::usage);
  EXPECT_EQ(model.error().message(),
            "--sim slow=3:4 is not supported by --target null\n"
            "  --target null supports only latency and osds; use --target sim");
}

TEST(LatencyLaws, QuantilesAreTheirClosedForms) {
  const LatencyLaw exponential = parse_sim("latency=exp:1ms")->latency;
  EXPECT_NEAR(static_cast<double>(exponential.quantile(0.99).count()), 1e6 * std::log(100.0), 1);
  const LatencyLaw lognormal = parse_sim("latency=lognormal:1ms:0.5")->latency;
  EXPECT_NEAR(static_cast<double>(lognormal.quantile(0.5).count()), 1e6, 1);
  constexpr double z99 = 2.3263478740408408;
  EXPECT_NEAR(static_cast<double>(lognormal.quantile(0.99).count()), 1e6 * std::exp(0.5 * z99), 2);
  const LatencyLaw uniform = parse_sim("latency=uniform:1ms:3ms")->latency;
  EXPECT_EQ(uniform.quantile(0.25), Time(milliseconds(1)) + std::chrono::microseconds(500));
}

TEST(Stalls, MoveCompletionsToTheirEnd) {
  const auto model = parse_sim("stall=2s:1s:3");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->after_stalls(milliseconds(2500), 3), seconds(3));
  EXPECT_EQ(model->after_stalls(milliseconds(2500), 2), milliseconds(2500));
  EXPECT_EQ(model->after_stalls(milliseconds(1999), 3), milliseconds(1999));
  EXPECT_EQ(model->after_stalls(milliseconds(3001), 3), milliseconds(3001));
}

}  // namespace
}  // namespace radosload::target
