// The same OSD asked again and again: what has been read is not read twice.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/osd_ops_reader.h"
#include "support/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct OpText {
  int tid = 0;
  double age = 0;
  const char* last = "done";
};

// As Ceph prints it: in one line.
std::string op_text(const OpText& op) {
  return fmt::format(
      R"json({{"description":"osd_op(client.7.0:{} 2.1 2:f:::a%]}}:head [read 0~512] snapc 0=[] e3)",)json"
      R"json("initiated_at":"2026-01-01T12:00:{:02}.000000+0000","age":{},"duration":0.1,)json"
      R"json("type_data":{{"flag_point":"\"ops\":[","events":[)json"
      R"json({{"event":"{}","time":"2026-01-01T12:00:59.000000+0000","duration":0}}]}}}})json",
      op.tid, op.tid % 60, op.age, op.last);
}

std::string dump(const std::vector<OpText>& ops) {
  std::vector<std::string> texts;
  texts.reserve(ops.size());
  for (const OpText& op : ops) texts.push_back(op_text(op));
  return fmt::format(R"({{"size":20,"duration":600,"ops":[{}]}})", fmt::join(texts, ","));
}

std::vector<std::uint64_t> tids(const Result<OsdOps>& read) {
  if (!read) throw std::runtime_error(read.error().message());
  std::vector<std::uint64_t> found;
  for (const OsdOp& op : read->ops) found.push_back(op.tid);
  return found;
}

TEST(OsdOpsReader, EndedOperations_AreReadOnce) {
  OsdOpsReader reader;
  EXPECT_THAT(tids(reader.read_ended(dump({{1, 5}, {2, 4}, {3, 3}}))), ElementsAre(1, 2, 3));
  EXPECT_THAT(tids(reader.read_ended(dump({{1, 6}, {2, 5}, {3, 4}, {4, 1}}))), ElementsAre(1, 4))
      << "the first again, for the clock";
  EXPECT_THAT(tids(reader.read_ended(dump({{3, 5}, {2, 6}, {5, 0.5}}))), ElementsAre(3, 5));
}

TEST(OsdOpsReader, OneThatHadNotEnded_IsReadAgain) {
  OsdOpsReader reader;
  EXPECT_THAT(tids(reader.read_ended(dump({{1, 5}, {2, 4, "commit_sent"}}))), ElementsAre(1, 2));
  EXPECT_THAT(tids(reader.read_ended(dump({{1, 6}, {2, 5}}))), ElementsAre(1, 2));
  EXPECT_THAT(tids(reader.read_ended(dump({{1, 7}, {2, 6}}))), ElementsAre(1));
}

TEST(OsdOpsReader, OneThatWasForgotten_IsReadWhenItComesBack) {
  OsdOpsReader reader;
  EXPECT_THAT(tids(reader.read_ended(dump({{1, 5}, {2, 4}}))), ElementsAre(1, 2));
  EXPECT_THAT(tids(reader.read_ended(dump({}))), IsEmpty());
  EXPECT_THAT(tids(reader.read_ended(dump({{1, 7}, {2, 6}}))), ElementsAre(1, 2));
}

TEST(OsdOpsReader, InFlight_SlowOnesAreRead) {
  const auto read = [](const std::vector<OpText>& ops) {
    return tids(OsdOpsReader::read_in_flight(dump(ops)));
  };
  EXPECT_THAT(
      read({{1, 0.1, "queued"}, {2, 1.0, "queued"}, {3, 0.999, "queued"}, {4, 40, "queued"}}),
      ElementsAre(1, 2, 4));
  EXPECT_THAT(read({}), IsEmpty());
}

TEST(OsdOpsReader, Clock_IsReadFromEachDump) {
  OsdOpsReader reader;
  const auto first = reader.read_ended(dump({{1, 5}}));
  const auto second = reader.read_ended(dump({{1, 7.5}}));
  ASSERT_TRUE(first && first->now && second && second->now);
  EXPECT_EQ(*second->now - *first->now, std::chrono::milliseconds(2500));
}

TEST(OsdOpsReader, RecordedDumps_AreReadAsByTheParser) {
  for (const char* const version : {"16.2.15", "18.2.7"}) {
    const std::string json = test::fixture(version, "osd0-dump_historic_ops.json");
    OsdOpsReader reader;
    EXPECT_EQ(tids(reader.read_ended(json)), tids(parse_osd_ops(json))) << version;
  }
}

TEST(OsdOpsReader, TornAnswers_AreRefusedAndForgetNothing) {
  OsdOpsReader reader;
  const std::string whole = dump({{1, 5}, {2, 4}});
  EXPECT_THAT(tids(reader.read_ended(whole)), ElementsAre(1, 2));
  for (const std::size_t length : {0UL, 1UL, 30UL, 100UL, whole.size() - 3}) {
    EXPECT_FALSE(reader.read_ended(whole.substr(0, length))) << length;
  }
  EXPECT_THAT(tids(reader.read_ended(whole)), ElementsAre(1));
}

}  // namespace
}  // namespace radosload::observe
