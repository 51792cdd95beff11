// The window of a run's counters, on OSDs that are scripted and in the time of the run.
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <thread>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "unit/histogram_support.h"
#include "watch/counted_osds.h"
#include "watch/counter_window.h"

#include <fmt/format.h>

namespace radosload::watch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class CountingOsds final : public AdminCommands {
 public:
  struct Start {
    std::uint64_t nonce = 1;
    std::uint64_t up_from = 5;
    int up = 1;
  };

  void serve(int osd, std::uint64_t operations) { m_ops[osd] += operations; }
  void reset(int osd) { m_ops[osd] = 0; }
  int asked() const { return m_asked; }
  int dumps() const { return m_dumps; }
  std::map<int, Start> starts = {{3, {}}};
  std::string denied;
  bool has_histograms = false;
  std::atomic<bool> histograms_are_torn = false;
  // Answers only when told.
  std::atomic<bool> slow = false;

  Result<std::string> mon(const std::string& command) override {
    if (command.find("osd metadata") != std::string::npos) {
      return R"([{"id": 3, "osd_objectstore": "bluestore", "bluefs": "1",
          "bluefs_dedicated_db": "1", "bluefs_dedicated_wal": "0"}])";
    }
    if (!denied.empty()) return fail({.attempt = "ask", .reason = denied});
    std::string osds;
    for (const auto& [osd, start] : starts) {
      osds += fmt::format(
          R"({}{{"osd": {}, "up": {}, "up_from": {}, "public_addrs": {{"addrvec":
          [{{"nonce": {}}}]}}}})",
          osds.empty() ? "" : ",", osd, start.up, start.up_from, start.nonce);
    }
    return fmt::format(R"({{"osds": [{}]}})", osds);
  }
  Result<std::string> mgr(const std::string&) override { return fail({}); }
  Result<std::string> osd(int id, const std::string& command) override {
    if (command.find("perf histogram dump") != std::string::npos) return histograms(id);
    ++m_asked;
    const std::uint64_t now = m_ops[id];
    m_counted[id] = now;
    while (slow) std::this_thread::sleep_for(milliseconds(1));
    ++m_dumps;
    return fmt::format(R"({{"osd": {{"op": {}}}}})", now);
  }

 private:
  Result<std::string> histograms(int id) {
    if (!has_histograms) return fail({});
    const std::string text = testing::histograms_of(m_counted[id]);
    return histograms_are_torn ? text.substr(0, text.size() / 2) : text;
  }

  std::map<int, std::atomic<std::uint64_t>> m_ops;
  // In the last answer with counters. Its histograms follow, when a test may have served more.
  std::map<int, std::atomic<std::uint64_t>> m_counted;
  std::atomic<int> m_asked = 0;
  std::atomic<int> m_dumps = 0;
};

// A run whose measured phase begins at 2 s.
class CounterWindows : public ::testing::Test {
 protected:
  static constexpr Time begin = seconds(2);

  CounterWindow& window(Time planned = Time(0)) {
    m_window.emplace(osds, std::vector<std::int32_t>{3}, planned);
    m_window->begin();
    return *m_window;
  }
  // Operations that the run sent to osd.3 and got answered.
  void serve(std::uint64_t ours, std::uint64_t others = 0) {
    osds->serve(3, ours + others);
    record::Interval interval;
    record::Cell cell;
    cell.osd = 3;
    cell.finished.ops = ours;
    interval.osds.push_back(cell);
    cell.kind = OpKind::flush;  // of the client's cache
    interval.osds.push_back(cell);
    m_window->on_interval(interval);
  }
  void warm_up(std::uint64_t operations) {
    m_window->enter(Phase::warmup, Time(0));
    std::this_thread::sleep_for(milliseconds(20));  // a reading would have been taken
    osds->serve(3, operations);                     // its interval has no finished operations
    m_window->poll(seconds(1));
  }
  void measure() {
    const int before = osds->dumps();
    m_window->enter(Phase::measure, begin);
    await(before + 1);
  }
  // Of 300 operations on osd.3 in ten seconds nine in ten are the run's.
  void measure_300_operations() {
    osds->serve(3, 1000);
    measure();
    serve(90, 10);
    read_at(5);
    serve(180, 20);
    read_at(10);
  }
  // A second of the measured phase ends in which the OSDs are read.
  void read_at(int second) {
    const int before = osds->dumps();
    // The thread may not have finished with the last answer.
    for (int i = 0; i < 5000 && osds->dumps() == before; ++i) {
      m_window->poll(begin + seconds(second));
      std::this_thread::sleep_for(milliseconds(1));
    }
    await(before + 1);
  }
  // The same, and the OSDs take their time.
  void ask_at(int second) {
    for (int i = 0; i < 5000 && osds->asked() == osds->dumps(); ++i) {
      m_window->poll(begin + seconds(second));
      std::this_thread::sleep_for(milliseconds(1));
    }
  }
  void await(int dumps) const {
    for (int i = 0; i < 5000 && osds->dumps() < dumps; ++i) {
      std::this_thread::sleep_for(milliseconds(1));
    }
    ASSERT_EQ(osds->dumps(), dumps);
  }
  record::OsdWindow end(int second) {
    m_window->enter(Phase::drain, begin + seconds(second));
    const auto windows = m_window->finish();
    EXPECT_THAT(windows, SizeIs(1));
    return windows.empty() ? record::OsdWindow() : windows.front();
  }

  std::shared_ptr<CountingOsds> osds = std::make_shared<CountingOsds>();

 private:
  std::optional<CounterWindow> m_window;
};

void expect_near(Time time, Time expected) {
  EXPECT_GE(time, expected);
  EXPECT_LE(time, expected + seconds(1)) << "what the answer took";
}

TEST_F(CounterWindows, MeasuredPhase_IsCountedWithTheRunsShare) {
  window();
  measure_300_operations();
  serve(500);  // after the last reading
  const auto seen = end(12);
  EXPECT_EQ(seen.missing, "");
  EXPECT_EQ(seen.osd, 3);
  EXPECT_EQ(seen.kind, "db");
  EXPECT_EQ(seen.growth.counts.at("op"), 300U);
  EXPECT_EQ(seen.ours, 270U);
  EXPECT_DOUBLE_EQ(*record::share_ours(seen), 0.9);
  expect_near(seen.from, Time(0));
  expect_near(seen.to, seconds(10));
}

TEST_F(CounterWindows, Histograms_GrowBetweenTheFirstAndTheLastReading) {
  osds->has_histograms = true;
  window();
  measure_300_operations();
  const auto seen = end(12);
  EXPECT_THAT(seen.growth.latencies.at("read"),
              ElementsAre(LatencyBucket{.from_ns = 1'600'000, .below_ns = 3'200'000, .ops = 300}));
}

TEST_F(CounterWindows, TornHistograms_LeaveTheCounters) {
  osds->has_histograms = true;
  window();
  measure();
  osds->histograms_are_torn = true;
  serve(90, 10);
  read_at(5);
  const auto seen = end(6);
  EXPECT_EQ(seen.missing, "");
  EXPECT_EQ(seen.growth.counts.at("op"), 100U);
  EXPECT_TRUE(seen.growth.latencies.empty());
}

TEST_F(CounterWindows, WarmUp_IsNotInTheWindow) {
  window();
  warm_up(10'000);
  measure();
  EXPECT_EQ(osds->dumps(), 1) << "none in the warm-up";
  serve(50);
  read_at(5);
  const auto seen = end(6);
  EXPECT_EQ(seen.growth.counts.at("op"), 50U);
  EXPECT_EQ(seen.ours, 50U);
  EXPECT_GE(seen.from, Time(0));
}

TEST_F(CounterWindows, AnswerAfterTheEnd_IsNotInTheWindow) {
  window();
  measure();
  serve(50);
  read_at(5);
  serve(70);
  osds->slow = true;
  ask_at(10);
  const auto seen = [this] {
    std::jthread later([this] {
      std::this_thread::sleep_for(milliseconds(50));
      osds->slow = false;
    });
    return end(10);
  }();
  EXPECT_EQ(seen.growth.counts.at("op"), 50U);
  EXPECT_EQ(seen.ours, 50U);
  expect_near(seen.to, seconds(5));
}

TEST_F(CounterWindows, EndThatIsKnown_HasOneMoreReadingInTheLastSecond) {
  CounterWindow& window = this->window(seconds(8));
  measure();
  for (const int second : {1, 2, 3, 4}) window.poll(begin + seconds(second));
  EXPECT_EQ(osds->dumps(), 1);
  read_at(5);
  window.poll(begin + seconds(6));
  serve(80);
  read_at(7);
  window.poll(begin + seconds(8));
  const auto seen = end(8);
  EXPECT_EQ(osds->dumps(), 3);
  EXPECT_EQ(seen.ours, 80U);
  expect_near(seen.to, seconds(7));
}

TEST_F(CounterWindows, RestartedOsd_HasNoGrowthAndIsNamed) {
  window();
  measure();
  read_at(5);
  osds->starts[3].nonce = 2;
  EXPECT_EQ(end(6).missing, "osd.3 was restarted");
}

TEST_F(CounterWindows, OsdThatWasDown_HasNoGrowth) {
  window();
  measure();
  read_at(5);
  osds->starts[3].up_from = 9;
  EXPECT_EQ(end(6).missing, "osd.3 was down for a time");
}

TEST_F(CounterWindows, OsdThatIsDownAtTheEnd_HasNoGrowth) {
  window();
  measure();
  read_at(5);
  osds->starts[3].up = 0;
  EXPECT_EQ(end(6).missing, "osd.3 was down at the end");
}

TEST_F(CounterWindows, ResetCounters_HaveNoGrowthEvenIfTheyGrowAfterwards) {
  window();
  osds->serve(3, 100);
  measure();
  osds->reset(3);
  read_at(5);
  osds->serve(3, 1000);
  read_at(10);
  const auto seen = end(11);
  EXPECT_EQ(seen.missing, "its counters were reset");
  EXPECT_TRUE(seen.growth.counts.empty());
  EXPECT_FALSE(record::share_ours(seen));
}

TEST_F(CounterWindows, TooShortAPhase_HasNoGrowth) {
  window();
  measure();
  EXPECT_EQ(end(1).missing, "the measured phase was too short");
}

TEST_F(CounterWindows, UnknownIdentity_HasNoGrowth) {
  osds->denied = "no rights";
  window();
  measure();
  read_at(5);
  EXPECT_THAT(end(6).missing, HasSubstr("no rights"));
}

TEST(OsdWindow, ShareOfTheRun_IsUnknownWhereTheCountsContradict) {
  record::OsdWindow window{.osd = 3, .ours = 1000};
  EXPECT_FALSE(record::share_ours(window)) << "no counter";
  window.growth.counts["op"] = 995;
  EXPECT_EQ(record::share_ours(window), 1.0) << "answers on their way";
  window.growth.counts["op"] = 500;
  EXPECT_FALSE(record::share_ours(window));
  window.growth.counts["op"] = 4000;
  EXPECT_EQ(record::share_ours(window), 0.25);
  window.missing = "osd.3 was restarted";
  EXPECT_FALSE(record::share_ours(window));
}

TEST(CountedOsds, ThoseWithMostObjectsComeFirst) {
  ObjectPlacement locations({}, {0, 1, 1, 1, 2, 2, 3}, 4);
  locations.move(0, 9);
  locations.move(1, 4);
  locations.move(2, 7);
  EXPECT_THAT(leading_osds(locations), ElementsAre(4, 7, 9)) << "PG 3 has no OSD";
}

TEST(CountedOsds, ReplicasOfTheRunsPgsAreAskedToo) {
  const auto pgs = placement::PgMap::parse_pgs_brief(R"({"pg_stats": [
      {"pgid": "2.0", "state": "active+clean", "acting": [9, 1, 2147483647], "acting_primary": 9},
      {"pgid": "2.1", "state": "active+clean", "acting": [4, 2], "acting_primary": 4},
      {"pgid": "2.2", "state": "active+clean", "acting": [7, 8], "acting_primary": 7}]})",
                                                     2);
  ASSERT_TRUE(pgs) << pgs.error().message();
  const ObjectPlacement locations({}, {0, 1}, 3);
  EXPECT_THAT(counted_osds({9, 4}, locations, *pgs, 256), ElementsAre(1, 2, 4, 9));
  EXPECT_THAT(counted_osds({9, 4}, locations, *pgs, 3), SizeIs(3));
  EXPECT_THAT(counted_osds({9, 4, 1}, locations, *pgs, 2), ElementsAre(4, 9));
  EXPECT_THAT(counted_osds({}, ObjectPlacement({}, {}, 0), *pgs, 2), IsEmpty());
}

}  // namespace
}  // namespace radosload::watch
