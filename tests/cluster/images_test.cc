// Runs on RBD images, on every kind of pool: what they measure, what they refuse, and what they
// leave behind.

#include "support/images.h"

#include <csignal>
#include <filesystem>

#include "cluster/image.h"
#include "cluster/runs.h"
#include "support/places.h"
#include "support/pool.h"
#include "support/records.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Images : public Runs {
 protected:
  static void expect_nothing_left(const std::string& pool) {
    EXPECT_EQ(images_in(pool), "");
    EXPECT_EQ(names_in(pool), "");
  }
  Finished quick(const std::string& pool, const std::string& pattern,
                 std::vector<std::string> more) const {
    more.insert(more.end(), {"--format", "json", "--no-progress"});
    return run(pool, pattern, std::move(more));
  }
  json record_of(const std::string& pool, const std::string& pattern,
                 std::vector<std::string> more) const {
    const Finished done = quick(pool, pattern, std::move(more));
    EXPECT_EQ(done.status, 0) << done.err << done.out;
    return done.status == 0 ? json::parse(done.out) : json::object();
  }
};

TEST_F(Images, AreCreatedMeasuredAndRemoved) {
  const json record = record_of("ssd", "randrw4k,size=32M,qd=16", {"--create", "64M"});
  expect_sound(record);
  EXPECT_EQ(record["plan"]["target"], "rbd");
  const json& image = record["environment"]["images"][0];
  EXPECT_EQ(image["size"].get<std::uint64_t>(), 64U << 20U);
  EXPECT_EQ(image["made_by"], record["run_id"]);
  EXPECT_EQ(image["settings"]["rbd_cache"], "false");
  EXPECT_EQ(image["settings"]["rbd_io_scheduler"], "none");
  // What other tests left to recover elsewhere on the lab may be noted.
  EXPECT_TRUE(is_clean(record["grade"]));
  expect_nothing_left("ssd");
}

class ImagesWithDataIn : public Images, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Pools, ImagesWithDataIn, testing::Values("hdd", "ec-k2m1", "ec-k2m2"));

TEST_P(ImagesWithDataIn, AreMeasuredThereAndTheRecordNamesThePool) {
  const json record =
      record_of("ssd", "randrw4k,size=16M,qd=8", {"--create", "32M", "--data-pool", GetParam()});
  expect_sound(record);
  EXPECT_EQ(record["environment"]["data_pool"]["name"], GetParam());
  EXPECT_EQ(record["environment"]["pool"]["name"], "ssd");
  expect_nothing_left("ssd");
}

TEST_F(Images, EveryPatternOfBytesRuns) {
  for (const char* pattern :
       {"randread4k", "randwrite4k-qd1", "write4k", "read4k", "rw4k", "write1m", "read1m", "rw1m",
        "radosbench-write", "radosbench-seq", "radosbench-rand", "onode-read,size=8M",
        "randread4k,dist=zipf,cache=bypass"}) {
    SCOPED_TRACE(pattern);
    expect_sound(record_of("ssd", pattern, {"--create", "16M", "--ops", "50"}));
  }
  expect_nothing_left("ssd");
}

TEST_F(Images, EtcdWal_FlushesEachWriteAndShowsThePair) {
  const json totals = record_of("ssd", "etcd-wal", {"--create", "32M"})["totals"];
  const auto pairs = totals["sync"]["ops"].get<std::uint64_t>();
  EXPECT_GT(pairs, 10U);
  EXPECT_NEAR(totals["write"]["ops"].get<double>(), static_cast<double>(pairs), 1);
  EXPECT_NEAR(totals["all"]["ops"].get<double>(), 2 * static_cast<double>(pairs), 2);
  const auto sum_us = [&](const char* kind) {
    return totals[kind]["service_us"]["mean"].get<double>() * totals[kind]["ops"].get<double>();
  };
  // All but the last write have a pair, and between the two halves of one there is next to nothing.
  const double halves = sum_us("write") + sum_us("flush");
  EXPECT_GE(sum_us("sync"), halves - totals["write"]["service_us"]["max"].get<double>());
  EXPECT_LE(sum_us("sync"), 1.2 * halves);
}

TEST_F(Images, SeveralClients_EachHasAnImage) {
  const json record =
      record_of("ssd", "randrw4k,size=32M,qd=16", {"--create", "16M", "--clients", "2"});
  expect_sound(record);
  EXPECT_EQ(record["environment"]["images"].size(), 2U);
  expect_nothing_left("ssd");
}

TEST_F(Images, ForeignOnes_AreRefusedWithoutDestroyData) {
  const ForeignImage image("theirs");
  const Finished done = quick("ssd", "randrw4k", {"--image", "theirs"});
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, HasSubstr("--destroy-data"));
  EXPECT_EQ(rbd({"du", "--format", "json", "ssd/theirs"}).out.find("\"used_size\":0") !=
                std::string::npos,
            true);
  expect_sound(record_of("ssd", "randrw4k", {"--image", "theirs", "--destroy-data"}));
  EXPECT_EQ(images_in("ssd"), "theirs\n") << "it stays";
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Images, MirroredOnes_AreReportedAndNonPrimaryOnesAreRefused) {
  record_of("ssd", "randread4k,size=4M", {"--create", "8M", "--image", "ours", "--keep"});
  ASSERT_EQ(rbd({"mirror", "pool", "enable", "ssd", "image"}).status, 0);
  ASSERT_EQ(rbd({"mirror", "image", "enable", "ssd/ours", "snapshot"}).status, 0);
  const Finished written = quick("ssd", "randrw4k,size=4M", {"--image", "ours"});
  EXPECT_EQ(written.status, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("image ours is mirrored"));
  // As the other cluster has it.
  ASSERT_EQ(rbd({"mirror", "image", "demote", "ssd/ours"}).status, 0);
  const Finished refusal = quick("ssd", "randrw4k,size=4M", {"--image", "ours"});
  EXPECT_EQ(refusal.status, refused) << refusal.err;
  EXPECT_THAT(refusal.err, HasSubstr("mirrored from another cluster"));
  const Finished left = clean_up_kept("ssd");
  EXPECT_EQ(left.status, 1) << left.out;
  EXPECT_THAT(left.out, HasSubstr("mirror of an image in another cluster"));
  EXPECT_EQ(images_in("ssd"), "ours\n");
  ASSERT_EQ(rbd({"mirror", "image", "promote", "ssd/ours"}).status, 0);
  EXPECT_EQ(clean_up_kept("ssd").status, 0);
  EXPECT_EQ(rbd({"mirror", "pool", "disable", "ssd"}).status, 0);
  expect_nothing_left("ssd");
}

TEST_F(Images, OpenByAnotherClient_AreRefused) {
  const ForeignImage image("busy");
  const auto connection = connect_here();
  auto other = cluster::Image::open(connection, open_pool(*connection, "ssd", ""), {"busy", ""},
                                    std::chrono::seconds(20));
  ASSERT_TRUE(other) << other.error().message();
  const Finished done = quick("ssd", "randrw4k", {"--image", "busy", "--destroy-data"});
  other->reset();
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, HasSubstr("other clients have it open"));
}

TEST_F(Images, LockedByAnotherClient_AreRefused) {
  const ForeignImage image("locked");
  ASSERT_EQ(rbd({"lock", "add", "ssd/locked", "mine"}).status, 0);
  const Finished done = quick("ssd", "randrw4k", {"--image", "locked", "--destroy-data"});
  const json locks = json::parse(rbd({"lock", "ls", "--format", "json", "ssd/locked"}).out);
  EXPECT_EQ(rbd({"lock", "rm", "ssd/locked", "mine", locks[0]["locker"].get<std::string>()}).status,
            0);
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, HasSubstr("lock 'mine'"));
}

// Whoever writes to an image holds its exclusive lock, and watches it.
TEST_F(Images, ExclusiveLockHeldByAnotherClient_IsRefused) {
  const ForeignImage image("held");
  Process other(rbd_launch(
      {"bench", "--io-type", "write", "--io-size", "4K", "--io-total", "100G", "ssd/held"}));
  ASSERT_TRUE(other.wait_for_output("    2 "));
  const Finished done = quick("ssd", "randrw4k", {"--image", "held", "--destroy-data"});
  other.signal(SIGINT);
  other.wait();
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, HasSubstr("other clients have it open"));
}

TEST_F(Images, ExclusiveLockTakenDuringTheRun_RunContinues) {
  const ForeignImage image("shared");
  Process process(
      launch(words("ssd", "randrw4k,size=16M",
                   until_ended({"--image", "shared", "--destroy-data", "--format", "json"}))));
  ASSERT_TRUE(await_second(process, 2));
  const Finished other =
      rbd({"bench", "--io-type", "write", "--io-size", "4K", "--io-total", "64K", "ssd/shared"});
  EXPECT_EQ(other.status, 0) << other.err;
  EXPECT_TRUE(await_more_operations(process, 50)) << "it has the lock again";
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  const json record = json::parse(done.out);
  EXPECT_EQ(record["ended_by"], "SIGINT");
  // What the other client has overwritten no longer carries our stamp, and is told.
  for (const auto& [error, count] : record["totals"]["all"]["errors"].items()) {
    EXPECT_EQ(error, "CORRUPT") << count;
  }
}

TEST_F(Images, KeptOnes_AreReusedWithTheirData) {
  const json first =
      record_of("ssd", "randread4k,size=16M", {"--create", "32M", "--image", "ours", "--keep"});
  EXPECT_EQ(images_in("ssd"), "ours\n");
  expect_sound(record_of("ssd", "randread4k,size=16M", {"--image", "ours", "--reuse", "last"}));
  expect_sound(record_of("ssd", "randrw4k,size=16M", {"--image", "ours"}));
  expect_sound(record_of("ssd", "randread4k,size=16M", {"--image", "ours", "--reuse", "last"}));
  const Finished cleaned = clean_up_kept("ssd");
  EXPECT_EQ(cleaned.status, 0) << cleaned.err;
  EXPECT_THAT(cleaned.out, HasSubstr("image ours removed"));
  expect_nothing_left("ssd");
}

TEST_F(Images, Snapshots_AreReadUnchanged) {
  const ForeignImage image("shot");
  ASSERT_EQ(rbd({"snap", "create", "--no-progress", "ssd/shot@then"}).status, 0);
  const json record = record_of("ssd", "randread4k", {"--image", "shot@then"});
  expect_sound(record);
  EXPECT_THAT(record["grade"]["reasons"].dump(), HasSubstr("holes"));
  const Finished written = quick("ssd", "randrw4k", {"--image", "shot@then"});
  EXPECT_EQ(written.status, 2);
  EXPECT_THAT(written.err, HasSubstr("snapshots are read-only"));
}

class EncryptedImages : public Images, public testing::WithParamInterface<const char*> {};

TEST_P(EncryptedImages, AreMeasuredThroughTheirEncryption) {
  const std::string passphrase = m_state.with("passphrase", "it is secret");
  const auto bytes = [&] {
    const std::string file = m_state.with("exported", "");
    std::filesystem::remove(file);
    const Finished exported = rbd({"export", "--no-progress", "ssd/secret", file});
    EXPECT_EQ(exported.status, 0) << exported.err;
    return read_file(file);
  };
  // Deriving a key is work for a processor, which may be busy with other tests.
  const std::string patience = "--connect-timeout=60s";
  const ForeignImage image("secret");
  const Finished made = rbd({"encryption", "format", "ssd/secret", GetParam(), passphrase});
  ASSERT_EQ(made.status, 0) << made.err;
  const std::string before = bytes();
  const Finished without = quick("ssd", "randrw4k", {"--image", "secret", "--destroy-data"});
  EXPECT_EQ(without.status, refused) << without.err;
  EXPECT_THAT(without.err, HasSubstr("--luks-passphrase"));
  const Finished wrong = quick("ssd", "randrw4k",
                               {patience, "--image", "secret", "--destroy-data",
                                "--luks-passphrase", m_state.with("wrong", "it is not")});
  EXPECT_EQ(wrong.status, refused) << wrong.err;
  EXPECT_THAT(wrong.err, HasSubstr("check the passphrase"));
  const json record =
      record_of("ssd", "randrw4k,size=16M",
                {patience, "--image", "secret", "--destroy-data", "--luks-passphrase", passphrase});
  ASSERT_TRUE(record.contains("environment"));
  expect_sound(record);
  EXPECT_EQ(record.dump().find("it is secret"), std::string::npos);
  // The header, before the data, is as it was.
  const auto data = record["environment"]["images"][0]["size"].get<std::uint64_t>();
  ASSERT_LT(data, before.size());
  const std::string after = bytes();
  EXPECT_TRUE(before.compare(0, before.size() - data, after, 0, before.size() - data) == 0);
  EXPECT_TRUE(before != after) << "the data was written";
}

INSTANTIATE_TEST_SUITE_P(Formats, EncryptedImages, testing::Values("luks1", "luks2"),
                         [](const auto& format) { return std::string(format.param); });

TEST_F(Images, Clones_AreMeasured) {
  const ForeignImage parent("parent");
  ASSERT_EQ(rbd({"snap", "create", "--no-progress", "ssd/parent@base"}).status, 0);
  ASSERT_EQ(
      rbd({"clone", "--rbd-default-clone-format", "2", "ssd/parent@base", "ssd/child"}).status, 0);
  const json record = record_of("ssd", "randrw4k", {"--image", "child", "--destroy-data"});
  expect_sound(record);
  EXPECT_EQ(record["environment"]["images"][0]["parent"], "ssd/parent@base");
  EXPECT_EQ(rbd({"rm", "--no-progress", "ssd/child"}).status, 0);
}

TEST_F(Images, WithACache_TheGradeNamesIt) {
  const json record = record_of("ssd", "randwrite4k,size=8M", {"--create", "16M", "--rbd-cache"});
  EXPECT_EQ(record["grade"]["value"], "contaminated");
  EXPECT_THAT(record["grade"]["reasons"].dump(), HasSubstr("acknowledged by a cache"));
  EXPECT_EQ(record["environment"]["images"][0]["settings"]["rbd_cache"], "true");
}

TEST_F(Images, SmallerThanTheGivenSize_AreRefused) {
  const ForeignImage image("small", "16M");
  const Finished done = quick("ssd", "randread4k,size=1G", {"--image", "small", "--destroy-data"});
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, HasSubstr("its size is 16 MiB"));
  const json record = record_of("ssd", "randread4k", {"--image", "small", "--destroy-data"});
  expect_sound(record);
  EXPECT_EQ(record["plan"]["size"], "16M");
}

TEST_F(Images, InNamespaces_AreFound) {
  ASSERT_EQ(rbd({"namespace", "create", "--pool", "ssd", "--namespace", "tenant"}).status, 0);
  const json record =
      record_of("ssd", "randrw4k,size=8M", {"--create", "16M", "--namespace", "tenant"});
  expect_sound(record);
  EXPECT_EQ(rbd({"ls", "ssd/tenant"}).out, "");
  EXPECT_EQ(rbd({"namespace", "remove", "--pool", "ssd", "--namespace", "tenant"}).status, 0);
}

TEST_F(Images, ProfileRbd_GrantsEnoughRights) {
  const CephUser user("images",
                      {"mon", "profile rbd", "mgr", "allow r", "osd", "profile rbd pool=ssd"});
  expect_sound(record_of("ssd", "randrw4k,size=8M",
                         {"--create", "16M", "--id", user.id(), "--keyring", user.keyring()}));
  expect_nothing_left("ssd");
}

TEST_F(Images, CreationFails_ErrorHasTheReason) {
  const Finished missing = quick("ssd", "randrw4k", {"--image", "nobody"});
  EXPECT_EQ(missing.status, no_cluster) << missing.err;
  EXPECT_THAT(missing.err, HasSubstr("there is no such image"));
  const Finished pool = quick("ssd", "randrw4k", {"--create", "1G", "--data-pool", "nowhere"});
  EXPECT_EQ(pool.status, no_cluster) << pool.err;
  EXPECT_THAT(pool.err, HasSubstr("nowhere"));
  const ForeignImage image("taken");
  const Finished taken = quick("ssd", "randrw4k,size=4M", {"--create", "16M", "--image", "taken"});
  EXPECT_EQ(taken.status, refused) << taken.err;
  EXPECT_THAT(taken.err, HasSubstr("already"));
  EXPECT_EQ(images_in("ssd"), "taken\n");
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Images, CreationTimesOut_ManifestNamesThemForCleanup) {
  Launch slow = launch(words("ssd", "randrw4k", {"--create", "16M", "--connect-timeout", "4s"}));
  slow.env.merge(jumping_clock());  // how a library is preloaded; this one instead
  slow.env["LD_PRELOAD"] = in_build("tests/slow_images.so");
  const Finished done = test::run(std::move(slow));
  EXPECT_EQ(done.status, no_cluster) << done.err;
  EXPECT_THAT(done.err, HasSubstr("create the image"));
  EXPECT_THAT(done.err, HasSubstr("radosload cleanup --pool ssd"));
  EXPECT_THAT(names_in("ssd"), HasSubstr("manifest"));
  EXPECT_EQ(radosload_here({"cleanup", "--yes", "--pool", "ssd"}).status, 0);
  expect_nothing_left("ssd");
}

TEST_F(Images, AKilledRunIsCleanedUpWithItsImage) {
  Process process(launch(words("ssd", "randrw4k,size=16M", until_ended({"--create", "32M"}))));
  ASSERT_TRUE(await_second(process, 2));
  process.signal(SIGKILL);
  process.wait();
  EXPECT_THAT(images_in("ssd"), HasSubstr("radosload."));
  const Finished cleaned = radosload_here({"cleanup", "--yes", "--pool", "ssd"});
  EXPECT_EQ(cleaned.status, 0) << cleaned.err << cleaned.out;
  expect_nothing_left("ssd");
}

TEST_F(Images, CtrlCReportsAndRemovesTheImage) {
  Process process(launch(words("ssd", "randrw4k,size=16M", until_ended({"--create", "32M"}))));
  ASSERT_TRUE(await_second(process, 2));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_THAT(done.out, HasSubstr("SIGINT"));
  expect_nothing_left("ssd");
}

TEST_F(Images, InAPoolAtItsQuotaTheMeasuredPartIsKept) {
  const TestPool pool("imagequota");
  Process process(launch(
      words(pool.name(), "randwrite4k,size=8M", until_ended({"--create", "64M", "--drain", "3"}))));
  ASSERT_TRUE(await_second(process, 2));
  ASSERT_EQ(ceph({"osd", "pool", "set-quota", pool.name(), "max_objects", "1"}).status, 0);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.out, HasSubstr("full"));
}

TEST_F(Images, DataObjectsDeletedDuringTheRun_EndTheRun) {
  const ForeignImage image("vanishing", "16M");
  Process process(
      launch(words("ssd", "randread4k", until_ended({"--image", "vanishing", "--destroy-data"}))));
  ASSERT_TRUE(await_second(process, 2));
  const json info = json::parse(rbd({"info", "--format", "json", "ssd/vanishing"}).out);
  const std::string prefix = info["block_name_prefix"].get<std::string>();
  for (int i = 0; i < 4; ++i) {
    test::run({.words = {"rados", "--conf", cluster_conf(), "-p", "ssd", "rm",
                         prefix + ".000000000000000" + std::to_string(i)},
               .env = {{"CEPH_ARGS", ""}}});
  }
  const Finished done = process.wait();
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.out, HasSubstr("HOLE"));
}

}  // namespace
}  // namespace radosload::test
