// Marks that are made while a run writes its objects: they are in its record, at their time.
#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/runs.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;

class PrefillMarks : public Runs {
 protected:
  // Its prefill takes twelve seconds at least, so that marks are made in it on a busy machine, too.
  Launch slowly_filled() const {
    return launch(words("ssd", "randread4k,size=12M,object-size=64k",
                        {"--prefill-rate", "1M", "--format", "json"}));
  }
  Finished here(const std::vector<std::string>& words) const { return test::run(launch(words)); }
};

TEST_F(PrefillMarks, AreInTheRecordAtTheirTime) {
  Process process(slowly_filled());
  ASSERT_TRUE(process.wait_for_output("prefill: "));
  const Finished marked = here({"mark", "fan", "on"});
  EXPECT_EQ(marked.status, 0) << marked.err;
  const Finished done = process.wait();
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  double prefill = 1;
  double mark = 1;
  for (const json& event : record["events"]) {
    if (event["text"] == "prefill" && event["kind"] == "phase") prefill = event["t_s"];
    if (event["text"] == "fan on") mark = event["t_s"];
  }
  EXPECT_LT(prefill, -11) << record["events"];
  EXPECT_GT(mark, prefill) << record["events"];
  EXPECT_LT(mark, 0) << record["events"];
  EXPECT_TRUE(
      std::is_sorted(record["events"].begin(), record["events"].end(),
                     [](const json& one, const json& next) { return one["t_s"] < next["t_s"]; }))
      << record["events"];
}

TEST_F(PrefillMarks, ARunThatEndsInItsPrefillLeavesNoFiles) {
  Process process(slowly_filled());
  ASSERT_TRUE(process.wait_for_output("prefill: "));
  EXPECT_EQ(here({"mark", "never", "seen"}).status, 0);
  process.signal(SIGINT);
  EXPECT_EQ(process.wait().status, interrupted);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(m_state.path())) {
    EXPECT_FALSE(entry.is_regular_file()) << entry.path();
  }
}

}  // namespace
}  // namespace radosload::test
