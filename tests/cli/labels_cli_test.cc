// Labels of runs, from the command line to the list.

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/files.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class LabelsCli : public ::testing::Test {
 protected:
  Finished run(std::vector<std::string> words) {
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_state.path().string()}});
  }

  TemporaryFolder m_state;
};

TEST_F(LabelsCli, AreInRecordReportAndList_AndListFindsRunsByThem) {
  const auto labelled = [&](const std::string& label) {
    return run({"--target", "sim", "--pattern", "randread4k", "--time", "1", "--no-progress",
                "--label", label, "--label", "host=n1", "--json"});
  };
  const Finished third = labelled("rack=3");
  ASSERT_EQ(third.status, 0) << third.err;
  EXPECT_EQ(json::parse(third.out)["labels"], (json{{"host", "n1"}, {"rack", "3"}}));
  ASSERT_EQ(labelled("rack=4").status, 0);
  EXPECT_THAT(run({"report", "last"}).out, HasSubstr("host=n1, rack=4"));
  EXPECT_THAT(run({"list"}).out, HasSubstr("host=n1,rack=3"));
  const auto found = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"list", "--json"});
    return json::parse(run(std::move(words)).out)["entries"];
  };
  EXPECT_EQ(found({"--label", "host=n1"}).size(), 2U);
  const json one = found({"--label", "host=n1", "--label", "rack=3"});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0]["labels"]["rack"], "3");
  EXPECT_TRUE(found({"--label", "rack=5"}).empty());
  const Finished compared = run({"compare", "last", one[0]["id"].get<std::string>()});
  EXPECT_THAT(compared.out, Not(HasSubstr("rack"))) << "labels are no difference of plans";
}

TEST_F(LabelsCli, OfASweepAreThoseOfItsStepsAndOfTheSeries) {
  ASSERT_EQ(run({"--target", "sim", "--pattern", "randread4k,qd=1:2", "--time", "1", "--label",
                 "rack=3", "--no-progress"})
                .status,
            0);
  const Finished listed = run({"list", "--steps", "--json", "--label", "rack=3"});
  EXPECT_EQ(json::parse(listed.out)["entries"].size(), 3U) << "the series and its two steps";
}

}  // namespace
}  // namespace radosload::test
