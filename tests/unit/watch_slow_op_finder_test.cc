// OSDs are asked for the slowest operations of a run, whatever they answer.
#include <atomic>
#include <map>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/wait_for.h"
#include "unit/slow_op_support.h"
#include "watch/slow_op_finder.h"

#include <fmt/format.h>

namespace radosload::watch {
namespace {

using record::SlowOp;
using record::Wait;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using testing::our_write;
using testing::ours;
using ::testing::SizeIs;

// OSDs that tell of one operation of ours, or do not answer.
class TellingOsds final : public AdminCommands {
 public:
  std::map<int, std::string> historic;
  std::map<int, std::string> in_flight;
  int error = ETIMEDOUT;  // of all others

  Result<std::string> mon(const std::string&) override { return fail({}); }
  Result<std::string> mgr(const std::string&) override { return fail({}); }
  // How often they were asked for operations in flight, and for those that have ended.
  std::atomic<int> asked_in_flight{0};
  std::atomic<int> asked_historic{0};

  Result<std::string> osd(int id, const std::string& command) override {
    ++(command.find("historic") != std::string::npos ? asked_historic : asked_in_flight);
    const auto& said = command.find("historic") != std::string::npos ? historic : in_flight;
    const auto found = said.find(id);
    if (found != said.end()) return found->second;
    if (historic.contains(id)) return std::string(R"({"ops": []})");
    return fail({.attempt = "get 'dump_ops_in_flight' from",
                 .subject = fmt::format("osd.{}", id),
                 .reason = "no answer within 2 s",
                 .errnum = error});
  }
};

constexpr const char* told_write = R"json({"ops": [{
  "description": "osd_op(client.7.0:1 2.1 2:f:radosload::x:head [write 0~4096] snapc 0=[] e3)",
  "initiated_at": "2026-01-01T12:00:00.100000+0000", "age": 2.0, "type_data": {"events": [
    {"event": "initiated", "time": "2026-01-01T12:00:00.100000+0000"},
    {"event": "queued_for_pg", "time": "2026-01-01T12:00:00.101000+0000"},
    {"event": "reached_pg", "time": "2026-01-01T12:00:01.101000+0000"},
    {"event": "started", "time": "2026-01-01T12:00:01.102000+0000"},
    {"event": "op_commit", "time": "2026-01-01T12:00:01.110000+0000"},
    {"event": "commit_sent", "time": "2026-01-01T12:00:01.110000+0000"},
    {"event": "done", "time": "2026-01-01T12:00:01.110000+0000"}]}}]})json";
// 2026-01-01T12:00:00 UTC
constexpr Time that_noon = seconds(1'767'268'800);

TEST(SlowOpFinder, FindsTheRunsOperationsAmongThoseOfTheOsds) {
  const auto osds = std::make_shared<TellingOsds>();
  osds->historic[3] = told_write;
  SlowOpFinder finder(osds, {3}, {7}, ours, [] { return that_noon + milliseconds(2100); });
  std::vector<SlowOp> slowest = {our_write(that_noon + milliseconds(99), milliseconds(1012))};
  const auto search = finder.finish(slowest);
  EXPECT_EQ(search.matched, 1U);
  EXPECT_EQ(search.missing, "");
  ASSERT_THAT(search.clocks, SizeIs(1));
  EXPECT_EQ(search.clocks[0].ahead, Time(0));
  ASSERT_TRUE(slowest[0].waited);
  EXPECT_EQ(slowest[0].waited->where, Wait::queue);
  EXPECT_EQ(slowest[0].waited->longest, seconds(1));
  EXPECT_EQ(slowest[0].waited->before, milliseconds(1));
  EXPECT_EQ(slowest[0].waited->after, milliseconds(1));
}

// Each question costs client and OSD, and every operation that ends is found when it has.
TEST(SlowOpFinder, OperationsInFlight_AreAskedForWhenOneOfOursIsSlow) {
  const auto osds = std::make_shared<TellingOsds>();
  osds->historic[3] = told_write;
  SlowOpFinder finder(osds, {3}, {7}, ours, [] { return that_noon + milliseconds(2100); });
  const auto ask_when_oldest_is = [&](Time now, Time oldest, int asked_before) {
    return test::wait_for("the OSD to be asked", [&] {
      finder.poll(now, oldest);
      return osds->asked_historic > asked_before;
    });
  };
  finder.enter(Phase::measure, seconds(1));
  ASSERT_TRUE(ask_when_oldest_is(seconds(3), milliseconds(999), 1));
  EXPECT_EQ(osds->asked_in_flight, 0);
  ASSERT_TRUE(ask_when_oldest_is(seconds(5), seconds(1), osds->asked_historic));
  EXPECT_EQ(osds->asked_in_flight, 1);
  std::vector<SlowOp> slowest = {our_write(that_noon + milliseconds(99), milliseconds(1012))};
  EXPECT_EQ(finder.finish(slowest).matched, 1U);
  EXPECT_EQ(osds->asked_in_flight, 2) << "at the end all are asked for";
}

TEST(SlowOpFinder, NotFound_HasTheReason) {
  const auto osds = std::make_shared<TellingOsds>();
  osds->historic[3] = told_write;
  osds->error = EACCES;
  SlowOpFinder finder(osds, {3, 5, 6}, {7}, ours, [] { return that_noon + milliseconds(2100); });
  std::vector<SlowOp> slowest = {our_write(that_noon, milliseconds(1200)),
                                 our_write(that_noon, seconds(1), 5)};
  const auto search = finder.finish(slowest);
  EXPECT_EQ(search.matched, 1U);
  EXPECT_THAT(search.missing, HasSubstr("get 'dump_ops_in_flight' from osd."));
  EXPECT_THAT(search.missing, HasSubstr("the same for 2 OSDs in all"));
}

TEST(SlowOpFinder, DamagedAnswers_AreReportedAndTheRestIsFound) {
  const auto osds = std::make_shared<TellingOsds>();
  osds->historic = {
      {3, told_write}, {4, R"json({"ops": [{"desc)json"}, {5, std::string(1000, '[')}};
  SlowOpFinder finder(osds, {3, 4, 5}, {7}, ours, [] { return that_noon + milliseconds(2100); });
  std::vector<SlowOp> slowest = {our_write(that_noon, milliseconds(1200)),
                                 our_write(that_noon, seconds(1), 4)};
  const auto search = finder.finish(slowest);
  EXPECT_EQ(search.matched, 1U);
  EXPECT_FALSE(search.missing.empty());
}

}  // namespace
}  // namespace radosload::watch
