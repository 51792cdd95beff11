// How the rows of a timeline stand in a record.
#include <cerrno>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "record/record_codec.h"
#include "unit/record_support.h"

#include <nlohmann/json.hpp>

namespace radosload::record {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::small_record;

TEST(TimelineCodec, FiguresOfKindsAndOsds_LackWhatSaysNothing) {
  RunRecord record = small_record();
  Figures& read = record.timeline[0].kinds.at(OpKind::read);
  const auto keys_of_read = [&] {
    const json text = json::parse(to_json(record));
    std::set<std::string> keys;
    for (const auto& [key, unused] : text["timeline"][0]["kinds"]["read"].items()) keys.insert(key);
    return keys;
  };
  read.errors.clear();
  read.timed = read.ops;
  read.mean_service = read.mean;
  EXPECT_EQ(keys_of_read(),
            (std::set<std::string>{"ops", "bytes", "mean_us", "p50_us", "p99_us", "max_us"}));
  EXPECT_EQ(from_json(to_json(record), "x").value(), record);
  read.errors = {{.rc = -EIO, .count = 1}};
  read.timed = read.ops - 1;
  read.mean_service = read.mean / 2;
  EXPECT_EQ(keys_of_read().size(), 9U);
  EXPECT_EQ(from_json(to_json(record), "x").value(), record);
}

TEST(TimelineCodec, EachRowIsALine) {
  RunRecord record = small_record();
  record.timeline.push_back(record.timeline.front());
  const std::string text = to_json(record);
  EXPECT_THAT(text, HasSubstr("\n \"timeline\": [\n  {\"t_s\":0.0,"));
  EXPECT_THAT(text, HasSubstr("}}},\n  {\"t_s\":0.0,"));
  EXPECT_THAT(text, HasSubstr("\n ],\n \"histograms\""));
  record.timeline.clear();
  EXPECT_THAT(to_json(record), HasSubstr("\n \"timeline\": [],\n"));
}

}  // namespace
}  // namespace radosload::record
