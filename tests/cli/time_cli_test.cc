#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/nowhere.h"
#include "support/exit_status.h"

namespace radosload::test {
namespace {

using testing::HasSubstr;

TEST(TimeCli, InvalidOptions_AreUsageErrorsBeforeAClusterIsContacted) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"time"}, "TIMER"},
      {{"time", "coffee"}, "coffee"},
      {{"time", "scrub"}, "needs --osd"},
      {{"time", "scrub", "--osd", "clas=hdd"}, "did you mean 'class'?"},
      {{"time", "compact", "--osd", "0", "--deep"}, "--deep"},
      {{"time", "bench", "--osd", "0", "--pool", "ssd"}, "--pool is for 'time compact'"},
      {{"time", "bench", "--osd", "0", "--how", "down"}, "--how"},
      {{"time", "scrub", "--osd", "0", "--bs", "4k"}, "--bs"},
      {{"time", "bench", "--osd", "0", "--bs", "65M"}, "64 MiB"},
      {{"time", "bench", "--osd", "0", "--bytes", "many"}, "many"},
      {{"time", "peering", "--osd", "0"}, "--restart-cmd or --how down"},
      {{"time", "peering", "--osd", "0", "--how", "down", "--restart-cmd", "x {osd}"}, "either"},
      {{"time", "peering", "--osd", "0", "--restart-cmd", "systemctl restart ceph-osd@3"}, "{osd}"},
      {{"time", "peering", "--osd", "0", "--how", "up"}, "down"},
      {{"time", "scrub", "--osd", "0", "--rounds", "0"}, "--rounds"},
      {{"time", "scrub", "--osd", "0", "--limit", "0"}, "--limit"},
      {{"time", "backfill", "--rounds", "2"}, "one round"},
      {{"time", "backfill", "--overwrite"}, "--save FILE"},
      {{"cleanup", "--flags", "--scratch"}, "--flags"},
      {{"cleanup", "--flags", "--pool", "hdd"}, "--flags"}};
  for (const auto& [words, said] : cases) {
    const Finished run = at_nowhere(words);
    EXPECT_EQ(run.status, usage) << words.back() << run.err;
    EXPECT_THAT(run.err, HasSubstr(said));
    EXPECT_EQ(run.out, "");
  }
}

TEST(TimeCli, ValidOptions_FailOnlyForTheMissingCluster) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"time", "backfill"},
        {"time", "scrub", "--deep", "--osd", "0,3", "--rounds", "3", "--seed", "7"},
        {"time", "peering", "--osd", "0", "--restart-cmd", "true {osd}", "--yes"},
        {"time", "peering", "--osd", "0", "--how", "down", "--dry-run", "--json"},
        {"time", "bench", "--osd", "all", "--bs", "4k", "--bytes", "1M", "--limit", "1m"},
        {"cleanup", "--flags", "--force"}}) {
    const Finished run = at_nowhere(words);
    EXPECT_EQ(run.status, no_cluster) << run.err;
    EXPECT_THAT(run.err, HasSubstr("nosuch.conf"));
  }
}

}  // namespace
}  // namespace radosload::test
