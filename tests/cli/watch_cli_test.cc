// `radosload watch` without a cluster: what its words mean is known before one is asked.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/nowhere.h"
#include "support/exit_status.h"

namespace radosload::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Finished watch(std::vector<std::string> words) {
  words.insert(words.begin(), "watch");
  return at_nowhere(std::move(words));
}

TEST(WatchCli, InvalidOptions_AreUsageErrorsBeforeAClusterIsContacted) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--osd", "0,x"}, "'x'"},
      {{"--osd", "kind=wall"}, "plain, wal, db, db+wal"},
      {{"--time", "0"}, "--time"},
      {{"--time", "soon"}, "soon"},
      {{"--interval", "100ms"}, "shorter than 1 s"},
      {{"--format", "xml"}, "xml"},
      {{"--pool", "hdd"}, "--pool"},
      {{"0"}, "0"}};
  for (const auto& [words, said] : cases) {
    const Finished run = watch(words);
    EXPECT_EQ(run.status, usage) << words.back() << run.err;
    EXPECT_THAT(run.err, StartsWith("radosload: ")) << words.back();
    EXPECT_THAT(run.err, HasSubstr(said));
    EXPECT_THAT(run.err, HasSubstr("\n  ")) << "what to do";
    EXPECT_EQ(run.out, "");
  }
}

TEST(WatchCli, ValidOptions_FailOnlyForTheMissingCluster) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{},
        {"--osd", "0,3-5,class=hdd/kind=wal"},
        {"--time", "10m", "--interval", "1s", "--json"},
        {"--time", "1s", "--interval", "5s", "--id", "watcher"}}) {
    const Finished run = watch(words);
    EXPECT_EQ(run.status, no_cluster) << run.err;
    EXPECT_THAT(run.err, HasSubstr("/etc/ceph/nosuch.conf"));
  }
}

}  // namespace
}  // namespace radosload::test
