// What a client says of its operations, and OSDs of theirs, as a real cluster has said it.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/client_requests.h"
#include "observe/osd_served.h"
#include "support/files.h"

namespace radosload::observe {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string fixture(const std::string& name) {
  return test::fixture("16.2.15", name);
}

TEST(ClientRequests, AreReadWithTheirObjectPoolAndOsd) {
  const auto requests = parse_client_requests(fixture("client-objecter-requests.json"));
  ASSERT_TRUE(requests) << requests.error().message();
  ASSERT_THAT(*requests, SizeIs(6));
  EXPECT_EQ(requests->front().object, "benchmark_data_vm_13461_object1029");
  EXPECT_EQ(requests->front().pool, 2);
  EXPECT_EQ(requests->front().osd, 0);
}

TEST(ClientRequests, WithoutATargetOsd_AreLeftOut) {
  const auto requests = parse_client_requests(R"({"ops": [
      {"pg": "2.1", "osd": -1, "object_id": "no OSD", "attempts": 1},
      {"pg": "2.1", "osd": 3, "object_id": "not sent yet", "attempts": 0},
      {"pg": "2.1", "osd": 3, "object_id": "held back", "attempts": 1, "paused": 1},
      {"pg": "2.1", "osd": 3, "object_id": "held back", "attempts": 1, "paused": true},
      {"pg": "2.1", "osd": 3, "object_id": "sent", "attempts": 2, "paused": 0}]})");
  ASSERT_TRUE(requests);
  ASSERT_THAT(*requests, SizeIs(1));
  EXPECT_EQ(requests->front().object, "sent");
}

TEST(ClientRequests, OtherText_IsAnErrorOrHasNone) {
  EXPECT_FALSE(parse_client_requests("[]"));
  EXPECT_FALSE(parse_client_requests("nonsense"));
  const auto none = parse_client_requests(R"({"linger_ops": []})");
  ASSERT_TRUE(none);
  EXPECT_THAT(*none, IsEmpty());
  const auto odd = parse_client_requests(R"({"ops": [7, {"osd": 1, "attempts": 1, "pg": "x"}]})");
  ASSERT_TRUE(odd);
  ASSERT_THAT(*odd, SizeIs(1));
  EXPECT_EQ(odd->front().pool, -1);
}

TEST(ServedCounters, AreReadFromWhatAnOsdDumps) {
  const auto served = parse_served(fixture("osd0-perf-dump-osd.json"));
  ASSERT_TRUE(served) << served.error().message();
  EXPECT_EQ(served->op, 224U);
  EXPECT_EQ(served->op_w, 224U);
  EXPECT_EQ(served->op_r, 0U);
  EXPECT_EQ(served->op_w_in_bytes, 14'680'064U);
}

TEST(ServedCounters, ADumpWithoutThemIsAnError) {
  EXPECT_FALSE(parse_served(R"({"osd": {}})"));
  EXPECT_FALSE(parse_served(R"({"bluestore": {"op": 3}})"));
  EXPECT_FALSE(parse_served("{"));
}

TEST(ServedCounters, GrowOrWereReset) {
  const ServedCounters before{.op = 10, .op_r = 4};
  const auto grown = growth(before, {.op = 25, .op_r = 4});
  ASSERT_TRUE(grown);
  EXPECT_EQ(grown->op, 15U);
  EXPECT_EQ(grown->op_r, 0U);
  EXPECT_FALSE(growth(before, {.op = 3})) << "the OSD has come up anew";
}

}  // namespace
}  // namespace radosload::observe
