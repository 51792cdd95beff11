#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/nowhere.h"
#include "support/exit_status.h"

namespace radosload::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Finished replicas(std::vector<std::string> words) {
  words.insert(words.begin(), "replicas");
  return at_nowhere(std::move(words));
}

TEST(ReplicasCli, LoadsThatDoNotShowReplicas_AreUsageErrorsBeforeAClusterIsContacted) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--pool", "hdd", "--pattern", "randread4k"}, "only reads"},
      {{"--pool", "hdd", "--pattern", "omap-get"}, "only reads"},
      {{"--pool", "hdd", "--qd", "1:4"}, "several runs"},
      {{"--pool", "hdd", "--pattern", "kbench"}, "several runs"},
      {{"--target", "sim"}, "has no OSDs"},
      {{"--pool", "hdd", "--osd", "3"}, "--osd"},
      {{"--pool", "hdd", "--matters", "-1"}, "--matters"},
      {{"--pool", "hdd", "--fail-if", "fast"}, "--fail-if"},
      {{"--pool", "hdd", "--format", "fio-json"}, "fio-json"},
      {{}, "--pool"}};
  for (const auto& [words, said] : cases) {
    const Finished run = replicas(words);
    EXPECT_EQ(run.status, usage) << said << run.err;
    EXPECT_THAT(run.err, StartsWith("radosload: ")) << said;
    EXPECT_THAT(run.err, HasSubstr(said));
    EXPECT_EQ(run.out, "");
  }
}

TEST(ReplicasCli, ValidOptions_FailOnlyForTheMissingCluster) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--pool", "hdd"},
        {"--pool", "hdd", "--pattern", "randrw4k", "--time", "5m", "--fail-if", "slow", "--json"},
        {"--pool", "hdd", "--pattern", "omap-set", "--matters", "50"}}) {
    const Finished run = replicas(words);
    EXPECT_EQ(run.status, no_cluster) << run.err;
    EXPECT_THAT(run.err, HasSubstr("/etc/ceph/nosuch.conf"));
  }
}

}  // namespace
}  // namespace radosload::test
