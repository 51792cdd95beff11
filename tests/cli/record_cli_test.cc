// Every key of a record, through the whole program: a handful of runs of which the arithmetic is
// known. A key that none of them gives a value other than its default is one that nobody has set.

#include <cmath>
#include <csignal>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/proof.h"
#include "support/files.h"
#include "support/process.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::test {

constexpr double mib_of_4k = 4096.0 / (1024 * 1024);

// 16 at a time, 1 ms each, for 4 s: 64,000 operations.
void RecordCli::waits() {
  Proof r =
      sim("latency=const:1ms", {"--pattern", "randread4k", "--qd", "16", "--time", "4", "--warmup",
                                "1", "--seed", "7", "--label", "rack=3", "--label", "host=n1"});
  r.is("/labels/rack", "3");
  r.is("/labels/host", "n1");
  r.is("/plan/label", json::array({"host=n1", "rack=3"}));
  r.is("/schema", "radosload.run/1");
  r.matches("/run_id", "^[0-9]{8}-[0-9]{9}-[0-9a-f]{4}$");
  r.matches("/started", "^20[0-9-]+T[0-9:]+Z$");
  r.matches("/program", "^radosload [0-9]");
  r.is("/status", "complete");
  r.is("/ended_by", "time");
  r.is("/grade/value", "unwatched");
  r.is("/measured_s", 4.0);
  r.positive("/peak_rss_mib");
  r.is("/counts/measured/submitted", 64000);
  r.is("/counts/measured/completed", 64000);
  r.is("/counts/unmeasured/submitted", 16000);
  r.is("/counts/unmeasured/completed", 16000);
  r.is("/totals/read/ops", 64000);
  r.is("/totals/read/bytes", 64000 * 4096);
  r.is("/totals/read/iops", 16000.0);
  r.near("/totals/read/mib_per_s", 16000 * mib_of_4k, 1e-9);
  r.is("/totals/read/finished", json({{"ops", 64000}, {"bytes", 64000 * 4096}}));
  for (const char* const name :
       {"mean", "min", "max", "p50", "p90", "p95", "p99", "p99.9", "p99.99"}) {
    r.is(fmt::format("/totals/read/service_us/{}", name), 1000.0);
    r.is(fmt::format("/totals/read/response_us/{}", name), 1000.0);
  }
  r.same("/totals/all", "/totals/read");
  r.same("/osds/osd.0/read", "/totals/read");
  r.is("/histograms/all/read/service_ns",
       json({{"sum", 64'000'000'000}, {"min", 1'000'000}, {"max", 1'000'000}}));
  r.matches("/histograms/all/read/service", "^HISTFAAA");
  r.same("/histograms/osd.0/read/service", "/histograms/all/read/service");
  r.same("/histograms/osd.0/read/service_ns", "/histograms/all/read/service_ns");
  for (int second = 0; second < 4; ++second) {
    const std::string row = fmt::format("/timeline/{}", second);
    r.is(row + "/t_s", second);
    r.is(row + "/length_s", 1.0);
    r.is(row + "/ops", 16000);
    r.is(row + "/bytes", 16000 * 4096);
    for (const char* const name : {"mean_us", "mean_service_us", "p50_us", "p99_us", "max_us"}) {
      r.is(fmt::format("{}/{}", row, name), 1000.0);
    }
    // What is answered with a second is sent again in it; at the very end nothing is.
    const int submitted = second == 0 ? 16016 : second == 3 ? 15984 : 16000;
    r.is(row + "/flow/submitted", submitted);
    r.is(row + "/flow/completed", 16000);
    r.is(row + "/in_flight", second == 3 ? 0 : 16);
    r.is(row + "/timed_ops", 16000);
    r.is(row + "/service_us",
         json({{"last", 1000.0}, {"mean", 1000.0}, {"min", 1000.0}, {"max", 1000.0}}));
    for (const auto& [name, value] : r.at(row + "/kinds/read").items()) {
      r.same(fmt::format("{}/kinds/read/{}", row, name), fmt::format("{}/{}", row, name));
      r.same(fmt::format("{}/osds/osd.0/{}", row, name), fmt::format("{}/{}", row, name));
    }
  }
  r.is("/events/0", json({{"t_s", -1.0}, {"kind", "phase"}, {"text", "warm-up"}}));
  r.is("/plan/seed", 7);
  r.is("/plan/qd", 16);
}

// 3 s each, answered 3, 6, 9, ... s after the start; measured from 5 to 14 s.
void RecordCli::carries_and_drains() {
  Proof r =
      sim("latency=const:3s", {"--pattern", "radosbench-rand", "--time", "9", "--warmup", "5"});
  constexpr std::uint64_t block = 4U << 20U;
  r.is("/measured_s", 9.0);
  r.is("/last_answer_s", 10.0);
  r.is("/counts/carried",
       json({{"submitted", 16}, {"completed", 16}, {"failed", 0}, {"cancelled", 0}}));
  r.is("/totals/read/ops", 48);
  r.is("/totals/read/finished", json({{"ops", 48}, {"bytes", 48 * block}}));
  r.is("/totals/read/drained", json({{"ops", 16}, {"bytes", 16 * block}}));
  r.near("/totals/read/iops", 48 / 9.0, 1e-9);
  r.near("/totals/read/mib_per_s", 48 * 4 / 9.0, 1e-9);
  r.same("/totals/all", "/totals/read");
  r.same("/osds/osd.0/read", "/totals/read");
  // Answers 1, 4, 7 and 10 s into the measured phase; the first were sent before it.
  const std::vector<int> ops = {16, 0, 0, 16, 0, 0, 16, 0, 0, 16};

  ASSERT_EQ(r.at("/timeline").size(), ops.size());
  for (std::size_t i = 0; i < ops.size(); ++i) {
    r.is(fmt::format("/timeline/{}/ops", i), ops[i]);
    r.is(fmt::format("/timeline/{}/timed_ops", i), i == 0 ? 0 : ops[i]);
    r.is(fmt::format("/timeline/{}/in_flight", i), i == 9 ? 0 : 16);
  }
  // One at a time, 300 ms each, sent after 0.9, 1.2 and 1.5 s; measured from 1 s on.
  Proof one =
      sim("latency=const:300ms", {"--pattern", "randread4k,qd=1", "--time", "3", "--warmup", "1"});
  for (const char* const part : {"", "/kinds/read", "/osds/osd.0"}) {
    one.is(fmt::format("/timeline/0{}/ops", part), 3);
    one.is(fmt::format("/timeline/0{}/timed_ops", part), 2);
  }
}

// 1000 a second asked of something that does 10: the rest is never sent.
void RecordCli::asks_too_much() {
  Proof r = sim("latency=const:100ms", {"--pattern", "randread4k", "--rate", "1000", "--qd", "1",
                                        "--time", "5", "--warmup", "0"});
  r.is("/counts/unissued", 4950);
  r.is("/totals/read/lost", 4950);
  r.is("/totals/read/ops", 50);
  r.is("/totals/read/late", 49);
  r.is("/osds/osd.0/read/late", 49);
  r.is("/totals/read/service_us/p50", 100000.0);
  r.is("/totals/read/response_us/p99", nullptr);
  // The last is due after 49 ms and sent after 4.9 s.
  r.is("/totals/read/response_us/mean", 100000.0 + 99000.0 * 49 / 2);
  r.is("/histograms/all/read/response_ns",
       json({{"sum", 50 * 100'000'000LL + 99'000'000LL * 49 * 50 / 2},
             {"min", 100'000'000},
             {"max", 4'951'000'000}}));
  r.matches("/histograms/all/read/response", "^HISTFAAA");
  // Due after 50, 51, ... 4999 ms, and given up after 5 s.
  r.is("/histograms/all/read/lost_response_ns",
       json({{"sum", 1'000'000LL * 4950 * 4951 / 2}, {"min", 1'000'000}, {"max", 4'950'000'000}}));
  r.matches("/histograms/all/read/lost_response", "^HISTFAAA");
  for (const char* const name : {"response", "response_ns"}) {
    r.same(fmt::format("/histograms/osd.0/read/{}", name),
           fmt::format("/histograms/all/read/{}", name));
  }
  r.is("/timeline/1/late", 10);
  for (const char* const part : {"", "/kinds/read", "/osds/osd.0"}) {
    r.is(fmt::format("/timeline/1{}/mean_service_us", part), 100000.0);
  }
  r.matches("/warnings/0", "^4950 operations were due");
}

// One at a time, 2 ms each, 1000 a second: operation i is due after i ms and sent after 2i. The
// measured phase, from 1 to 3 s, has those from 1000 to 1499.
void RecordCli::is_late() {
  Proof r = sim("latency=const:2ms", {"--pattern", "randread4k", "--rate", "1000", "--qd", "1",
                                      "--time", "2", "--warmup", "1"});
  r.is("/totals/read/ops", 500);
  r.near("/late_us/p50", 1'249'000, 1249);
  r.near("/late_us/p99", 1'494'000, 1494);
  r.is("/late_us/max", 1'499'000.0);
  r.positive("/slowest/0/t_s");
  r.matches("/lateness", "^HISTFAAA");
  r.is("/lateness_ns", json({{"sum", 1'000'000LL * 500 * (1000 + 1499) / 2},
                             {"min", 1'000'000'000},
                             {"max", 1'499'000'000}}));
}

// Each fails after 10 ms, and after three in a row the next one waits for 100 ms.
void RecordCli::times_out() {
  Proof r = sim(
      "latency=const:10ms,error=ETIMEDOUT:1",
      {"--pattern", "randread4k", "--qd", "1", "--ops", "5", "--time", "0", "--warmup", "500ms"},
      1);
  r.is("/ended_by", "ops");
  r.is("/counts/measured",
       json({{"submitted", 5}, {"completed", 0}, {"failed", 5}, {"cancelled", 0}}));
  r.is("/counts/unmeasured/failed", 8);
  r.is("/counts/carried/failed", 1);
  r.is("/totals/read/errors", json({{"ETIMEDOUT", 5}}));
  r.is("/totals/read/lost", 5);
  r.is("/histograms/all/read/lost_service_ns",
       json({{"sum", 50'000'000}, {"min", 10'000'000}, {"max", 10'000'000}}));
  r.matches("/histograms/all/read/lost_service", "^HISTFAAA");
  for (const std::string name : {"lost_service", "lost_response"}) {
    r.same("/histograms/osd.0/read/" + name, "/histograms/all/read/lost_service");
    r.same("/histograms/osd.0/read/" + name + "_ns", "/histograms/all/read/lost_service_ns");
  }
  r.same("/totals/all", "/totals/read");
  r.same("/osds/osd.0/read", "/totals/read");
  const json errors = {{"ETIMEDOUT", 5}};
  for (const char* const part : {"", "/kinds/read", "/osds/osd.0"}) {
    r.is(fmt::format("/timeline/0{}/errors", part), errors);
  }
  r.is("/timeline/0/flow/failed", 5);
}

// Nothing is answered after 1 s: 8 are in flight, and are cancelled after 3 s and 5 s of draining.
void RecordCli::loses() {
  Proof r = sim(
      "latency=const:1ms,stall=1s:1h",
      {"--pattern", "randread4k", "--qd", "8", "--time", "3", "--drain", "5s", "--warmup", "0"}, 1);
  r.is("/counts/measured",
       json({{"submitted", 8000}, {"completed", 7992}, {"failed", 0}, {"cancelled", 8}}));
  r.is("/last_answer_s", 8.0);
  r.is("/totals/read/cancelled", 8);
  r.is("/totals/read/lost", 8);
  r.is("/totals/read/service_us/max", nullptr);
  r.is("/totals/read/service_us/p99", 1000.0);
  r.same("/osds/osd.0/read", "/totals/read");
  r.is("/histograms/all/read/lost_service_ns",
       json({{"sum", 8 * 7'001'000'000LL}, {"min", 7'001'000'000}, {"max", 7'001'000'000}}));
  r.is("/timeline/7/flow/cancelled", 8);
}

// The same with a warm-up, which has sent all that is cancelled.
void RecordCli::loses_a_warm_up() {
  Proof r = sim("latency=const:1ms,stall=0s:1h", {"--pattern", "randread4k", "--qd", "8", "--time",
                                                  "2", "--drain", "1s", "--warmup", "1"});
  r.is("/counts/unmeasured/cancelled", 8);
  r.is("/counts/carried/cancelled", 8);
  r.is("/counts/measured/submitted", 0);
}

void RecordCli::never_answers() {
  Proof r = sim(
      "latency=const:1ms,never=1",
      {"--pattern", "randread4k", "--qd", "8", "--time", "2", "--drain", "1s", "--warmup", "1"}, 1);
  r.is("/counts/unfinished", 8);
  r.is("/counts/unmeasured/submitted", 8);
}

// A write and a flush of 1 ms each are a pair of 2 ms.
void RecordCli::flushes() {
  Proof r = sim("latency=const:1ms", {"--pattern", "etcd-wal", "--time", "4", "--warmup", "0"});
  r.is("/totals/sync/ops", 2000);
  r.is("/totals/sync/service_us/p99", 2000.0);
  r.is("/totals/flush/ops", 2000);
  r.is("/plan/flush", true);
  r.is("/totals/all/ops", 4000);
}

// Of four operations three are reads, and so is the next one on a block. Where half of the writes
// fail, more blocks have several permitted values than there is room for.
void RecordCli::verifies() {
  Proof r = sim("latency=const:1ms,lose=0", {"--pattern", "randrw4k", "--size", "4M", "--qd", "8",
                                             "--time", "4", "--warmup", "0", "--seed", "7"});
  r.is("/verification/blocks", 1024);
  r.is("/verification/followed", 1024);
  r.is("/verification/writes_acknowledged", r.at("/totals/write/ops"));
  r.near("/verification/writes_read_back", 0.75 * r.at("/totals/write/ops").get<double>(),
         0.05 * r.at("/totals/write/ops").get<double>());
  Proof failing = sim(
      "latency=const:1ms,lose=0,error=EIO:0.5",
      {"--pattern", "randrw4k", "--size", "1G", "--qd", "64", "--time", "2", "--warmup", "0"}, 1);
  failing.positive("/verification/given_up");
}

// Half as many operations each 1 and 2 ms: stddev from how many there were of each.
void RecordCli::has_a_slow_osd() {
  Proof r = sim("latency=const:1ms,osds=2,slow=1:2",
                {"--pattern", "randread4k", "--qd", "16", "--time", "4", "--warmup", "0"});
  const auto fast = r.at("/osds/osd.0/read/ops").get<double>();
  const auto slow = r.at("/osds/osd.1/read/ops").get<double>();
  const double deviation = 1000 * std::sqrt(fast * slow) / (fast + slow);
  r.near("/totals/read/service_us/stddev", deviation, 2);
  r.near("/totals/read/response_us/stddev", deviation, 2);
  r.near("/totals/read/service_us/mean", (1000 * fast + 2000 * slow) / (fast + slow), 1e-6);
  // Of one value, the deviation is that of its bucket's middle.
  for (const char* const name : {"service_us", "response_us"}) {
    r.near(fmt::format("/osds/osd.0/read/{}/stddev", name), 0, 1);
  }
}

// On an OSD that takes twice as long, so that each of the three slowest is its.
void RecordCli::lists_the_slowest() {
  Proof r = sim("latency=const:1ms,osds=2,slow=1:2",
                {"--pattern", "randread4k", "--qd", "16", "--time", "4", "--warmup", "0",
                 "--slowest", "3", "--seed", "7"});
  r.is("/plan/slowest", 3);
  ASSERT_EQ(r.at("/slowest").size(), 3U);
  std::set<std::string> sent;
  for (int i = 0; i < 3; ++i) {
    const std::string op = fmt::format("/slowest/{}", i);
    r.is(op + "/op", "read");
    r.is(op + "/osd", "osd.1");
    r.is(op + "/bytes", 4096);
    r.is(op + "/service_us", 2000.0);
    r.is(op + "/response_us", 2000.0);
    r.is(op + "/outcome", "ok");
    r.matches(op + "/object", "^object [0-9]+$");
    r.matches(op + "/sent", "^20[0-9-]+T[0-9:]+\\.[0-9]{6}Z$");
    r.positive(op + "/offset");
    sent.insert(r.at(op + "/object").get<std::string>() + r.at(op + "/offset").dump());
  }
  EXPECT_EQ(sent.size(), 3U);
}

// The load is the same from the first second on: five equal seconds are enough.
void RecordCli::settles() {
  Proof r = sim("latency=const:1ms",
                {"--pattern", "randread4k", "--qd", "16", "--time", "4", "--warmup", "auto"});
  r.is("/plan/warmup", "auto");
  r.is("/warmup/length_s", 5.0);
  r.is("/warmup/settled", true);
  r.is("/counts/unmeasured/submitted", 80016);
  r.is("/measured_s", 4.0);
  r.is("/events/0", json({{"t_s", -5.0}, {"kind", "phase"}, {"text", "warm-up"}}));
  const Finished shown = radosload({"--target", "sim", "--pattern", "randread4k", "--time", "4",
                                    "--warmup", "auto", "--save", "none", "--no-progress"});
  EXPECT_THAT(shown.out,
              testing::HasSubstr("4.0 s after 5 s of warm-up, until it was steady, ended by time"));
}

// One operation at a time of 700 ms on average: chance moves single seconds by more than allowed.
void RecordCli::never_settles() {
  Proof r = sim("latency=exp:700ms", {"--pattern", "randread4k", "--qd", "1", "--time", "4",
                                      "--warmup", "auto", "--seed", "1"});
  r.is("/warmup/length_s", 60.0);
  r.is("/warmup/settled", false);
  r.matches("/warmup/trouble", "^throughput still varied by [0-9]+ % ");
  r.matches("/warnings/0", "^the load was not steady after 60 s of warm-up: throughput still");
}

// Of a killed run only the worst OSDs of each second are known.
void RecordCli::is_killed() {
  Process process({.words = {radosload_path(), "--target", "sim", "--threads", "1", "--sim",
                             "latency=const:2ms,osds=40", "--pattern", "randread4k,qd=8", "--time",
                             "60", "--warmup", "0"},
                   .env = env()});
  ASSERT_TRUE(process.wait_for_output("    3 "));
  process.signal(SIGKILL);
  process.wait();
  ASSERT_EQ(radosload({"list"}, env()).status, 0);
  const Finished shown = radosload({"report", "last", "--format", "json"}, env());
  ASSERT_EQ(shown.status, 0) << shown.err;
  Proof r = keep(json::parse(shown.out));
  r.is("/status", "incomplete");
  r.is("/osds_partial", true);
}

TEST_F(RecordCli, EveryKey_IsSetByARunAndHasItsCalculatedValue) {
  waits();
  carries_and_drains();
  asks_too_much();
  is_late();
  times_out();
  loses();
  loses_a_warm_up();
  never_answers();
  flushes();
  verifies();
  has_a_slow_osd();
  lists_the_slowest();
  pretends();
  has_options();
  counts_objects();
  measures_power();
  measures_a_drive();
  settles();
  never_settles();
  is_killed();
  EXPECT_THAT(unproven(), testing::IsEmpty());
}

}  // namespace radosload::test
