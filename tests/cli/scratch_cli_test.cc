#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/nowhere.h"
#include "support/exit_status.h"

namespace radosload::test {
namespace {

using testing::HasSubstr;

TEST(ScratchCli, InvalidOptions_AreUsageErrorsBeforeAClusterIsContacted) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"scratch"}, "ACTION"},
      {{"scratch", "make"}, "make"},
      {{"scratch", "create"}, "--osd"},
      {{"scratch", "create", "--osd", "clas=hdd"}, "did you mean 'class'?"},
      {{"scratch", "create", "a", "b", "--osd", "1"}, "one pool"},
      {{"scratch", "create", "--osd", "1", "--all"}, "--all"},
      {{"scratch", "destroy"}, "--all"},
      {{"scratch", "destroy", "a", "--all"}, "--all"},
      {{"scratch", "destroy", "a", "--osd", "1"}, "--osd"},
      {{"cleanup"}, "--pool"},
      {{"cleanup", "--pool", "hdd", "--force"}, "--run ID --force"},
      {{"cleanup", "--pool", "hdd", "--scan", "--force"}, "--run ID --force"},
      {{"cleanup", "--scratch", "--scan"}, "--scan"}};
  for (const auto& [words, said] : cases) {
    const Finished run = at_nowhere(words);
    EXPECT_EQ(run.status, usage) << words.back() << run.err;
    EXPECT_THAT(run.err, HasSubstr(said));
    EXPECT_EQ(run.out, "");
  }
}

TEST(ScratchCli, ValidOptions_FailOnlyForTheMissingCluster) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"scratch", "list"},
        {"scratch", "create", "--osd", "0,3", "--pg-num", "16", "--wait", "1m"},
        {"scratch", "destroy", "--all", "--yes", "--json"},
        {"cleanup", "--scratch", "--dry-run"},
        {"cleanup", "--scratch", "--yes"},
        {"cleanup", "--pool", "hdd", "--yes"}}) {
    const Finished run = at_nowhere(words);
    EXPECT_EQ(run.status, no_cluster) << run.err;
    EXPECT_THAT(run.err, HasSubstr("nosuch.conf"));
  }
}

}  // namespace
}  // namespace radosload::test
