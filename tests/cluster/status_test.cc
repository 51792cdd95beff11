#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/admin.h"
#include "cluster/connection.h"
#include "support/ceph_json.h"
#include "support/cluster.h"
#include "support/exit_status.h"
#include "support/files.h"
#include "support/pool.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

TEST(ClusterConnection, ReadsFsidPoolsAndAgreesWithCeph) {
  const auto connection = cluster::Connection::open(options_here());
  ASSERT_TRUE(connection) << connection.error().message();
  const auto fsid = (*connection)->fsid();
  ASSERT_TRUE(fsid);
  EXPECT_THAT(ceph({"fsid"}).out, HasSubstr(*fsid));
  const auto pools = (*connection)->pools();
  ASSERT_TRUE(pools);
  const auto listed = ceph_json({"osd", "pool", "ls"});
  ASSERT_EQ(pools->size(), listed.size());
}

TEST(ClusterConnection, AMissingPoolIsAnErrorThatNamesTheOthers) {
  const auto connection = cluster::Connection::open(options_here());
  ASSERT_TRUE(connection) << connection.error().message();
  const auto pools = (*connection)->pools();
  ASSERT_TRUE(pools);
  const auto pool = (*connection)->pool("no-such-pool", "radosload");
  ASSERT_FALSE(pool);
  EXPECT_EQ(pool.error().exit, Exit::no_cluster);
  EXPECT_THAT(pool.error().message(), HasSubstr("no-such-pool"));
  ASSERT_FALSE(pools->empty());
  EXPECT_THAT(pool.error().message(), HasSubstr(pools->front().name));
}

TEST(ClusterConnection, Preference_ReplacesOnlyADefault) {
  const TemporaryFolder folder;
  ClusterOptions options = options_here();
  const auto threads_with = [&](const char* line) {
    options.conf = (folder.path() / "ceph.conf").string();
    write_file(options.conf, read_file(cluster_conf()) + "[client]\n" + line);
    const auto connection = cluster::Connection::open(
        options, {}, {{"ms_async_op_threads", "3", "2"}, {"no_such_setting", "3", "2"}});
    return connection ? (*connection)->setting("ms_async_op_threads")
                      : connection.error().message();
  };
  EXPECT_EQ(threads_with(""), "2");
  EXPECT_EQ(threads_with("ms_async_op_threads = 4\n"), "4");
}

TEST(ClusterAdmin, AnUnknownCommandIsAnErrorThatNamesIt) {
  auto admin = cluster::Admin::open(options_here());
  ASSERT_TRUE(admin) << admin.error().message();
  const auto answer = (*admin)->mon(R"({"prefix": "no such command"})");
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message(), HasSubstr("no such command"));
}

TEST(ClusterStatusCommand, MatchesTheOutputOfCeph) {
  const Finished run = radosload_here({"status"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, ContainsRegex("health +HEALTH_"));
  EXPECT_THAT(run.out, ContainsRegex("version +[0-9]+\\.[0-9]+\\.[0-9]+"));
  const auto pools = ceph_json({"osd", "pool", "ls"});
  for (const auto& pool : pools) EXPECT_THAT(run.out, HasSubstr(pool.get<std::string>()));
}

TEST(ClusterStatusCommand, Json_HasTheSameContent) {
  const Finished run = radosload_here({"status", "--format", "json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["schema"], "radosload.status/1");
  const auto fsid = ceph_json({"fsid"});
  EXPECT_EQ(json["fsid"], fsid["fsid"]);
}

TEST(ClusterStatusCommand, TheEnvironmentOfCephIsUnderstood) {
  const Finished run =
      radosload({"status"}, {{"CEPH_ARGS", "--conf " + cluster_conf() + " --id admin"}});
  EXPECT_EQ(run.status, 0) << run.err;
}

TEST(ClusterStatusCommand, LeastRights_AreEnoughAndHiddenPartsAreReported) {
  const CephUser user("reader", {"mon", "allow r"});
  const Finished run = radosload_here({"status", "--id", user.id(), "--keyring", user.keyring()});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Not available"));
  EXPECT_THAT(run.out, HasSubstr("balancer"));
}

TEST(ClusterStatusCommand, NoMonRightsAreExplained) {
  const CephUser user("blind", {"osd", "allow r"});
  const Finished run = radosload_here({"status", "--id", user.id(), "--keyring", user.keyring()});
  EXPECT_EQ(run.status, no_cluster);
  EXPECT_THAT(run.err, HasSubstr(user.id()));
}

TEST(ClusterStatusCommand, AWrongKeyIsExplained) {
  const TemporaryFolder folder;
  const std::string keyring =
      folder.with("keyring", "[client.admin]\n\tkey = AQBTPx9nAAAAABAAmQ3q3aWnXr1VY0n1r0kGgA==\n");
  const Finished run = radosload_here({"status", "--keyring", keyring});
  EXPECT_EQ(run.status, no_cluster);
  EXPECT_THAT(run.err, HasSubstr("cannot log in"));
  EXPECT_THAT(run.err, HasSubstr("client.admin"));
}

TEST(ClusterStatusCommand, AnUnknownUserIsExplained) {
  const TemporaryFolder folder;
  const std::string keyring =
      folder.with("keyring", "[client.nobody]\n\tkey = AQBTPx9nAAAAABAAmQ3q3aWnXr1VY0n1r0kGgA==\n");
  const Finished run = radosload_here({"status", "--id", "nobody", "--keyring", keyring});
  EXPECT_EQ(run.status, no_cluster);
  EXPECT_THAT(run.err, HasSubstr("client.nobody"));
}

}  // namespace
}  // namespace radosload::test
