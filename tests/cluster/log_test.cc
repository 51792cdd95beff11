// What the log says of a run on a real cluster.

#include <filesystem>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/runs.h"
#include "support/files.h"

namespace radosload::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class LogOnACluster : public Runs {};

TEST_F(LogOnACluster, HasEveryCommandWithTimeAndResultAndNoKey) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "log").string();
  const CephUser user("logged", {"mon", "allow r", "mgr", "allow r", "osd", "allow rw pool=ssd"});
  const Finished done = run(
      "ssd", "randread4k,size=4M",
      {"--id", user.id(), "--keyring", user.keyring(), "--log-level", "debug", "--log-file", file});
  ASSERT_EQ(done.status, 0) << done.err;
  const std::string log = read_file(file);
  EXPECT_THAT(log, ContainsRegex("info +the mons: osd dump: [0-9]+ bytes in [0-9.]+ ms\n"));
  EXPECT_THAT(log, ContainsRegex("info +the mgr: osd df: [0-9]+ bytes in [0-9.]+ ms\n"));
  EXPECT_THAT(log, HasSubstr("connected as client.logged"));
  EXPECT_THAT(log, AllOf(HasSubstr("wrote the manifest of run"), HasSubstr("removed what run")));
  const std::string keyring = read_file(user.keyring());
  const std::size_t at = keyring.find("AQ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_THAT(log, Not(HasSubstr(keyring.substr(at, 40))));
}

TEST_F(LogOnACluster, MissingRight_IsAWarning) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "log").string();
  const CephUser user("unlogged", {"mon", "allow r"});
  radosload_here({"status", "--id", user.id(), "--keyring", user.keyring(), "--log-file", file});
  EXPECT_THAT(read_file(file), ContainsRegex("warning the mgr: .*: failed after .*E(ACCES|PERM)"));
}

}  // namespace
}  // namespace radosload::test
