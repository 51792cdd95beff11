#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/nowhere.h"
#include "support/exit_status.h"

namespace radosload::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Finished osds(std::vector<std::string> words) {
  words.insert(words.begin(), "osds");
  return at_nowhere(std::move(words));
}

TEST(OsdsCli, InvalidOptions_AreUsageErrorsBeforeAClusterIsContacted) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"0,x"}, "'x'"},
      {{"kind=wall"}, "plain, wal, db, db+wal"},
      {{"clas=hdd"}, "did you mean 'class'?"},
      {{"5-3"}, "did you mean '3-5'?"},
      {{""}, "a name between two commas is missing"},
      {{"--match", "wal"}, "two of the kinds"},
      {{"--match", "wal,wal"}, "are the same"},
      {{"--match", "0-3"}, "goes before --match"},
      {{"--format", "xml"}, "xml"},
      {{"0", "1"}, "1"},
      {{"--nonsense"}, "nonsense"}};
  for (const auto& [words, said] : cases) {
    const Finished run = osds(words);
    EXPECT_EQ(run.status, usage) << words.front() << run.err;
    EXPECT_THAT(run.err, StartsWith("radosload: ")) << words.front();
    EXPECT_THAT(run.err, HasSubstr(said));
    EXPECT_EQ(run.out, "");
  }
}

TEST(OsdsCli, ValidOptions_FailOnlyForTheMissingCluster) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                {"0,3-5,osd.7,host=a,class=hdd,kind=wal"},
                                                {"--match"},
                                                {"0-3", "--match"},
                                                {"--match", "wal,db", "--json"},
                                                {"--match", "--format", "json"},
                                                {"all", "--match=db+wal,plain"}}) {
    const Finished run = osds(words);
    EXPECT_EQ(run.status, no_cluster) << run.err;
    EXPECT_THAT(run.err, HasSubstr("/etc/ceph/nosuch.conf"));
  }
}

TEST(OsdsCli, ItsHelpHasAnExampleOfAList) {
  const Finished run = radosload({"osds", "--help"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("host=NAME,class=hdd,kind=wal"));
}

}  // namespace
}  // namespace radosload::test
