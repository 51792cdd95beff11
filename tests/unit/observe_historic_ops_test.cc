// Single operations as OSDs of both releases have told of them, and the counters of a client.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "base/wall_clock.h"
#include "observe/client_counters.h"
#include "observe/historic_ops.h"
#include "support/files.h"

#include <fmt/format.h>

namespace radosload::observe {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

OsdOps read_fixture(const std::string& version, const std::string& name) {
  const auto read = parse_osd_ops(test::fixture(version, name));
  if (!read) throw std::runtime_error(read.error().message());
  return *read;
}

const OsdOp& first_client_op(const OsdOps& read) {
  for (const OsdOp& op : read.ops) {
    if (!op.part) return op;
  }
  throw std::runtime_error("no operation of a client");
}

std::string dump_of(const std::string& description, const std::string& rest = {}) {
  return fmt::format(R"({{"ops": [{{"description": "{}",
      "initiated_at": "2026-11-21T02:23:57.000000+0000", "age": 1.5{}}}]}})",
                     description, rest);
}

std::string client_dump(const std::string& object) {
  return dump_of(fmt::format("osd_op(client.7.0:12 2.f {} [read 0~512] snapc 0=[] e35)", object));
}

TEST(HistoricOps, OfRelease16_AreReadWithObjectRangeAndEvents) {
  const OsdOps read = read_fixture("16.2.15", "osd0-dump_historic_ops.json");
  EXPECT_THAT(read.ops, SizeIs(20));
  const OsdOp& op = first_client_op(read);
  EXPECT_EQ(op.client, 4171U);
  EXPECT_EQ(op.tid, 74U);
  EXPECT_EQ(op.pool, 2);
  EXPECT_EQ(op.nspace, "");
  EXPECT_EQ(op.object, "benchmark_data_node1_2379_object73");
  ASSERT_THAT(op.extents, SizeIs(1)) << "the hint of its allocation moves nothing";
  EXPECT_EQ(op.extents[0].verb, "write");
  EXPECT_EQ(op.extents[0].length, 4096U);
  EXPECT_TRUE(op.ended());
  EXPECT_EQ(op.last() - op.initiated, microseconds(397'314))
      << "by its stamps: the printed durations are wrong";
  EXPECT_EQ(op.events.front().name, "header_read") << "events are in the order of their times";
}

TEST(HistoricOps, OfRelease18_AreReadWithObjectRangeAndEvents) {
  const OsdOps read = read_fixture("18.2.7", "osd0-dump_historic_ops.json");
  EXPECT_THAT(read.ops, SizeIs(20));
  const OsdOp& op = first_client_op(read);
  EXPECT_EQ(op.client, 4179U);
  EXPECT_EQ(op.pool, 3);
  EXPECT_EQ(op.object, "rbd_data.2.104da70bbb22.0000000000000001");
  ASSERT_THAT(op.extents, SizeIs(1));
  EXPECT_EQ(op.extents[0].offset, 1'212'416U);
  EXPECT_EQ(*op.at("commit_sent") - op.initiated, microseconds(515'678));
}

TEST(HistoricOps, ClockOfTheOsd_IsBeginPlusAge) {
  const OsdOps read = read_fixture("18.2.7", "osd0-dump_historic_ops.json");
  ASSERT_TRUE(read.now);
  const auto near = base::parse_moment("2026-11-21T02:22:26.317304Z");
  EXPECT_LT(std::chrono::abs(*read.now - *near), milliseconds(1));
}

TEST(HistoricOps, PartsOfReplicasAndShards_AreKnownByTheirRequest) {
  const OsdOps read = read_fixture("16.2.15", "osd0-dump_historic_ops.json");
  std::vector<std::uint64_t> parts;
  for (const OsdOp& op : read.ops) {
    if (op.part && op.client == 4181) parts.push_back(op.tid);
  }
  EXPECT_THAT(parts, ElementsAre(28, 33, 488, 1026)) << "of the erasure-coded pool";
}

TEST(HistoricOps, NamesAreUnescapedAndHaveTheirNamespace) {
  const auto read = parse_osd_ops(client_dump("2:fb42ebf3:my%3aspace:key:a%25b:head"));
  ASSERT_TRUE(read);
  ASSERT_THAT(read->ops, SizeIs(1));
  EXPECT_EQ(read->ops[0].nspace, "my:space");
  EXPECT_EQ(read->ops[0].object, "a%b");
}

TEST(HistoricOps, OtherAndUnreadableOperations_AreLeftOut) {
  for (const char* const description :
       {"osd_op(client.7.0:12 2.f 2.fb42ebf3 (undecoded) ondisk+read e35)", "osd_op(", "osd_op()",
        "osd_op(mds.0.1:12 2.f 2:fb42ebf3:::x:head [read 0~512] snapc 0=[] e35)", "",
        "osd_op(client.7.0:x 2.f 2:fb42ebf3:::x:head [read 0~512] snapc 0=[] e35)",
        "osd_op(client.7.0:12 2.f two:fb42ebf3:::x:head [read 0~512] snapc 0=[] e35)",
        "osd_repop_reply(client.7.0:12 2.f e35/21)", "MOSDECSubOpWrite(4.8s2 39/26)",
        "MOSDECSubOpWriteReply(4.8s2 39/26 reqid=client.7.0:12, x)"}) {
    const auto read = parse_osd_ops(dump_of(description));
    ASSERT_TRUE(read) << description;
    EXPECT_THAT(read->ops, IsEmpty()) << description;
    EXPECT_TRUE(read->now) << "its clock is told all the same";
  }
}

TEST(HistoricOps, DamagedAnswers_AreErrorsOrHaveNothing) {
  EXPECT_FALSE(parse_osd_ops("[]"));
  EXPECT_FALSE(
      parse_osd_ops(test::fixture("16.2.15", "osd0-dump_historic_ops.json").substr(0, 9000)));
  EXPECT_FALSE(parse_osd_ops(std::string(longest_dump + 1, ' '))) << "too long";
  for (const char* const odd :
       {R"({})", R"({"ops": 7})", R"({"ops": [7, null, {}, {"description": 3}]})",
        R"({"ops": [{"description": "osd_op(", "initiated_at": "soon", "age": -1}]})",
        R"({"ops": [{"initiated_at": "2026-11-21T02:23:57.000000+0000", "age": 1e300}]})"}) {
    const auto read = parse_osd_ops(odd);
    ASSERT_TRUE(read) << odd;
    EXPECT_THAT(read->ops, IsEmpty());
    EXPECT_FALSE(read->now);
  }
}

TEST(HistoricOps, HugeLists_AreReadUpToABound) {
  const std::string event = R"({"event": "delayed", "time": "2026-11-21T02:23:57.000000+0000"})";
  std::string events = event;
  for (std::size_t i = 0; i < 2 * most_events_read; ++i) events += "," + event;
  const auto read = parse_osd_ops(
      dump_of("osd_op(client.7.0:12 2.f 2:fb42ebf3:::x:head [read 0~512] snapc 0=[] e35)",
              R"(, "type_data": {"events": [)" + events + "]}"));
  ASSERT_TRUE(read);
  ASSERT_THAT(read->ops, SizeIs(1));
  EXPECT_THAT(read->ops[0].events, SizeIs(most_events_read));
  const std::string one = client_dump("2:f:::x:head");
  std::string many = one.substr(one.find('[') + 1, one.rfind(']') - one.find('[') - 1);
  const std::string again = "," + many;
  for (std::size_t i = 0; i < 2 * most_ops_read; ++i) many += again;
  const auto bounded = parse_osd_ops(R"({"ops": [)" + many + "]}");
  ASSERT_TRUE(bounded);
  EXPECT_THAT(bounded->ops, SizeIs(most_ops_read));
}

TEST(CountersOfAClient, AreReadFromItsDump) {
  const auto read = parse_client_counters(test::fixture("16.2.15", "client-perf-dump.json"));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, ClientCounters());
  const auto held = parse_client_counters(
      R"({"objecter": {"op": 3, "op_resend": 2, "op_laggy": 1},
          "throttle-objecter_ops": {"wait": {"avgcount": 4, "sum": 0.25}},
          "throttle-objecter_bytes": {"wait": {"avgcount": 5, "sum": 1.5}}})");
  ASSERT_TRUE(held);
  EXPECT_EQ(*held, (ClientCounters{.ops_waits = 4,
                                   .ops_wait = milliseconds(250),
                                   .bytes_waits = 5,
                                   .bytes_wait = milliseconds(1500),
                                   .resent = 2,
                                   .laggy = 1}));
  EXPECT_FALSE(parse_client_counters("{}"));
  EXPECT_FALSE(parse_client_counters("7"));
}

TEST(CountersOfAClient, GrowAndAddUp) {
  const ClientCounters before{
      .ops_waits = 4, .ops_wait = milliseconds(250), .resent = 2, .laggy = 5};
  const ClientCounters after{
      .ops_waits = 7, .ops_wait = milliseconds(300), .resent = 2, .laggy = 1};
  const ClientCounters grown = growth(before, after);
  EXPECT_EQ(grown.ops_waits, 3U);
  EXPECT_EQ(grown.ops_wait, milliseconds(50));
  EXPECT_EQ(grown.resent, 0U);
  EXPECT_EQ(grown.laggy, 1U) << "it says how many there are now";
  EXPECT_EQ(sum(grown, grown).ops_waits, 6U);
}

}  // namespace
}  // namespace radosload::observe
