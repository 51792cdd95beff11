// A run that was limited by its client is said to be so.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "prepare/engine_plan.h"
#include "run/recording.h"
#include "run/slow_ops.h"

namespace radosload::run {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LimitNotes final : public record::ProgressListener {
 public:
  void progress(const record::Progress&) override {}
  void note(const std::string&) override {}
};

// Of 10 s in which the client sent at this rate, took so much CPU of two, and waited for librados's
// limit of operations.
std::vector<std::string> warnings_of(double mbit_per_s, double cpu_s, Time waited = Time(0)) {
  LimitNotes notes;
  const OutputOptions output{.store = {}, .file = {}, .program = "radosload test"};
  const RunPlan plan;
  Recording recording(plan, prepare::header_for(plan, output.program, "x", {}), output, notes);
  constexpr double bytes_per_mbit = 125'000;
  recording.add_client_load({.interface = "eth0",
                             .sent = static_cast<std::uint64_t>(mbit_per_s * bytes_per_mbit * 10),
                             .link_mbit = 1000,
                             .cpus = 2,
                             .counters = ClientCounters{.ops_wait = waited},
                             .clients = 1});
  PassEnd pass;
  pass.end.ended_by = record::EndedBy::time;
  pass.end.measured = seconds(10);
  pass.client = {.user_s = cpu_s, .system_s = 0, .peak_rss_mib = 1};
  return recording.finish(pass).record.warnings;
}

TEST(ClientAsLimit, AboveNineTenths_IsAWarning) {
  EXPECT_THAT(warnings_of(950, 5), ElementsAre(HasSubstr("95 % of its network link eth0")));
  EXPECT_THAT(warnings_of(100, 19), ElementsAre(HasSubstr("95 % of the 2 CPUs")));
  EXPECT_THAT(warnings_of(100, 5, std::chrono::milliseconds(9'500)),
              ElementsAre(HasSubstr("librados held operations back for 95 % of the time")));
}

TEST(ClientAsLimit, UpToNineTenths_IsNone) {
  EXPECT_THAT(warnings_of(899, 17.9, seconds(9)), IsEmpty());
}

TEST(ListedSlowOps, HaveNameWallClockAndPlace) {
  PassEnd pass;
  pass.end.measure_start = seconds(5);
  pass.wall_ahead = seconds(1'763'691'832) + Time(1234);
  const engine::SlowOp op{
      .op =
          {.object = 17, .offset = 512, .length = 4096, .pg = 31, .osd = 3, .kind = OpKind::write},
      .intended = seconds(6),
      .submitted = seconds(7),
      .completed = seconds(9)};
  pass.end.slowest = {op};
  const auto listed = slow_ops(
      pass, [](std::uint64_t) { return std::string("name"); }, 2);
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].object, "name");
  EXPECT_EQ(pg_text(listed[0]), "2.1f");
  EXPECT_EQ(listed[0].at, seconds(2));
  EXPECT_EQ(listed[0].wall, seconds(1'763'691'839) + Time(1000)) << "whole microseconds";
  EXPECT_EQ(listed[0].service, seconds(2));
  EXPECT_EQ(listed[0].response, seconds(3));
  EXPECT_EQ(slow_ops(pass)[0].object, "object 17");
  EXPECT_EQ(pg_text(slow_ops(pass)[0]), "");
}

}  // namespace
}  // namespace radosload::run
