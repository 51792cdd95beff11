#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/places.h"
#include "support/process.h"

namespace radosload::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Runs where no config can be found.
Finished status(std::vector<std::string> words, std::map<std::string, std::string> env = {}) {
  words.insert(words.begin(), "status");
  return radosload(std::move(words), std::move(env));
}

TEST(StatusCli, NoConfig_MessageListsTheSearchedPaths) {
  const Finished run = status({"--cluster", "nosuch"});
  EXPECT_EQ(run.status, no_cluster);
  EXPECT_THAT(run.err, HasSubstr("/etc/ceph/nosuch.conf"));
  EXPECT_THAT(run.err, HasSubstr("--conf"));
  EXPECT_EQ(run.out, "");
}

TEST(StatusCli, AMissingConfigIsNamed) {
  const TemporaryFolder folder;
  const std::string missing = folder.path() / "ceph.conf";
  const Finished run = status({"--conf", missing});
  EXPECT_EQ(run.status, no_cluster);
  EXPECT_THAT(run.err, HasSubstr(missing));
  EXPECT_THAT(run.err, HasSubstr("ENOENT"));
}

TEST(StatusCli, MissingConfigFromTheEnvironment_MessageNamesTheVariable) {
  const Finished run = status({}, {{"CEPH_CONF", nowhere("ceph.conf")}});
  EXPECT_EQ(run.status, no_cluster);
  EXPECT_THAT(run.err, HasSubstr("CEPH_CONF"));
}

TEST(StatusCli, AMalformedConfigIsNamed) {
  const TemporaryFolder folder;
  const Finished run = status({"-c", folder.with("ceph.conf", "nonsense [[[ =\n")});
  EXPECT_EQ(run.status, no_cluster);
  EXPECT_THAT(run.err, HasSubstr("cannot parse the Ceph config"));
}

TEST(StatusCli, MissingKeyring_MessageListsTheSearchedPaths) {
  const TemporaryFolder folder;
  const std::string keyring = nowhere("keyring");
  const Finished run =
      status({"-c", folder.with("ceph.conf",
                                "[global]\nmon_host = 127.0.0.1:1\nkeyring = " + keyring + "\n")});
  EXPECT_EQ(run.status, no_cluster);
  EXPECT_THAT(run.err, HasSubstr("cannot find a keyring for client.admin"));
  EXPECT_THAT(run.err, HasSubstr(keyring));
}

TEST(StatusCli, MalformedKey_IsReportedWithItsKeyring) {
  const TemporaryFolder folder;
  const std::string keyring = folder.with("bad.keyring", "[client.admin]\n\tkey = no key\n");
  const Finished run =
      status({"-c", folder.with("ceph.conf", "[global]\nmon_host = 127.0.0.1:1\n"), "-k", keyring});
  EXPECT_EQ(run.status, no_cluster);
  EXPECT_THAT(run.err, HasSubstr("cannot read the key of client.admin"));
  EXPECT_THAT(run.err, HasSubstr(keyring + ": it is not a valid key"));
}

TEST(StatusCli, MonsDoNotAnswer_TimesOut) {
  const TemporaryFolder folder;
  const std::string key =
      folder.with("keyring", "[client.admin]\n\tkey = AQBTPx9nAAAAABAAmQ3q3aWnXr1VY0n1r0kGgA==\n");
  const Finished run = status({"-c", folder.with("ceph.conf", "[global]\nmon_host = 127.0.0.1:1\n"),
                               "-k", key, "--connect-timeout", "2s"});
  EXPECT_EQ(run.status, no_cluster);
  EXPECT_THAT(run.err, HasSubstr("no answer within 2 s"));
  EXPECT_THAT(run.err, HasSubstr("127.0.0.1:1"));
  EXPECT_LT(run.seconds, 3 * 2 + 3);
}

TEST(StatusCli, UnknownOptions_AreUsageErrors) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--nonsense"},
                                                {"--connect-timeout", "soon"},
                                                {"--format", "xml"}}) {
    const Finished run = status(words);
    EXPECT_EQ(run.status, usage) << words.front();
    EXPECT_THAT(run.err, StartsWith("radosload: "));
    EXPECT_THAT(run.err, HasSubstr("\n  ")) << "what to do";
  }
}

TEST(StatusCli, HelpGoesToStdout) {
  const Finished run = radosload({"--help"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("status"));
  EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace radosload::test
