// Runs pinned to OSDs, on a real cluster: that objects lie where we say, that operations go where
// they were pinned, and what is said when they cannot.

#include <csignal>

#include "cluster/runs.h"
#include "placement/object_hash.h"
#include "support/grave.h"
#include "support/images.h"
#include "support/pool.h"
#include "support/records.h"
#include "support/wait_for.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// By the mons, who are the authority on where an object lies.
std::uint32_t seed_of(cluster::Connection& connection, const std::string& pool,
                      const std::string& name, const std::string& nspace) {
  const json command = {{"prefix", "osd map"},
                        {"pool", pool},
                        {"object", name},
                        {"nspace", nspace},
                        {"format", "json"}};
  librados::bufferlist answer;
  std::string status;
  EXPECT_EQ(connection.rados().mon_command(command.dump(), {}, &answer, &status), 0) << status;
  const json map = json::parse(answer.to_str());
  const std::string pgid = map["pgid"].get<std::string>();
  return static_cast<std::uint32_t>(std::stoul(pgid.substr(pgid.find('.') + 1), nullptr, 16));
}

std::uint32_t pg_num_of(const std::string& pool) {
  const Finished done = ceph({"osd", "pool", "get", pool, "pg_num", "--format", "json"});
  const json answer = json::parse(done.out);
  return answer["pg_num"].get<std::uint32_t>();
}

class PinnedRuns : public Runs {
 protected:
  json record_of(const std::string& pool, const std::string& pattern,
                 std::vector<std::string> more) const {
    more.insert(more.end(), {"--format", "json", "--no-progress"});
    const Finished done = run(pool, pattern, std::move(more));
    EXPECT_EQ(done.status, 0) << done.err << done.out;
    return done.status == 0 ? json::parse(done.out) : json::object();
  }
  // The mgr, which tells where PGs are, hears of a change seconds later.
  void await_primary(const std::string& osd) const {
    const auto leads = [&] {
      const Finished done = run("hdd", "randread4k,size=1M,object-size=256k", {"--osd", osd});
      return Seen(done.status == 0, done.err);
    };
    ASSERT_TRUE(wait_for(osd + " to serve objects again", leads, patience, now_and_then));
  }
  static std::string osds_of(const json& record) {
    std::string text;
    for (const auto& [osd, kinds] : record["osds"].items()) {
      // An observer adds what the replicas counted.
      if (kinds.contains("read") || kinds.contains("write")) text += osd + " ";
    }
    return text;
  }
};

class PinsInPool : public PinnedRuns, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Pools, PinsInPool,
                         testing::Values("ssd", "hdd", "hdd1", "ec-k2m1", "ec-k2m2"));

TEST_P(PinsInPool, ObjectsHash_LikeTheMonsHash) {
  const auto connection = connect_here();
  const std::uint32_t pg_num = pg_num_of(GetParam());
  for (const std::string nspace : {"", "radosload"}) {
    librados::IoCtx pool = open_pool(*connection, GetParam(), nspace);
    placement::ObjectHash hash(nspace, pg_num);
    for (int i = 0; i < 50; ++i) {
      const std::string name = fmt::format("radosload.test.{:016x}", i * 977);
      const std::uint32_t ours = hash(name);
      EXPECT_EQ(ours, seed_of(*connection, GetParam(), name, nspace)) << name;
      std::uint32_t theirs = 0;
      ASSERT_EQ(pool.get_object_pg_hash_position2(name, &theirs), 0);
      EXPECT_EQ(ours, theirs) << name;
    }
  }
}

TEST_F(PinnedRuns, RadosloadsHash_AgreesWithLibradosOnTenThousandNames) {
  const auto connection = connect_here();
  librados::IoCtx pool = open_pool(*connection, "ssd", "radosload");
  placement::ObjectHash hash("radosload", pg_num_of("ssd"));
  for (int i = 0; i < 12'000; ++i) {
    const std::string name(static_cast<std::size_t>(i % 61), static_cast<char>('!' + i % 90));
    const std::string full = name + std::to_string(i);
    std::uint32_t theirs = 0;
    ASSERT_EQ(pool.get_object_pg_hash_position2(full, &theirs), 0);
    ASSERT_EQ(hash(full), theirs) << full;
  }
}

TEST_F(PinnedRuns, EveryRun_HasFiguresForEachOsd) {
  const json record = record_of("hdd", "randrw4k,size=16M,object-size=256k", {});
  expect_sound(record);
  std::uint64_t sum = 0;
  for (const auto& [osd, kinds] : record["osds"].items()) {
    for (const auto& [kind, figures] : kinds.items()) {
      if (figures.is_object() && figures.contains("ops")) {
        sum += figures["ops"].get<std::uint64_t>();
      }
    }
  }
  EXPECT_EQ(sum, record["totals"]["all"]["ops"].get<std::uint64_t>()) << wrong_figure;
  EXPECT_GT(record["osds"].size(), 1U);
}

TEST_F(PinnedRuns, EachOsdHasALoadOfItsOwn) {
  const json record =
      record_of("hdd", "randread4k,size=2M,object-size=256k,qd=2", {"--osd", "class=hdd"});
  expect_sound(record);
  const std::size_t osds = record["osds"].size();
  EXPECT_GT(osds, 1U);
  for (const auto& [osd, kinds] : record["osds"].items()) {
    EXPECT_GT(kinds["read"]["ops"].get<std::uint64_t>(), 0U) << osd;
  }
}

TEST_F(PinnedRuns, KeptObjectsServeTheSameOsdAgain) {
  const json first = record_of("hdd", "randread4k,size=2M,object-size=256k", {});
  const std::string osd = first["osds"].begin().key().substr(4);
  const std::string other = std::prev(first["osds"].end()).key().substr(4);
  record_of("hdd", "randread4k,size=2M,object-size=256k", {"--osd", osd, "--keep"});
  const json again =
      record_of("hdd", "randread4k,size=2M,object-size=256k", {"--osd", osd, "--reuse", "last"});
  expect_sound(again);
  EXPECT_EQ(osds_of(again), "osd." + osd + " ");
  const Finished refusal =
      run("hdd", "randread4k,size=2M,object-size=256k", {"--osd", other, "--reuse", "last"});
  EXPECT_EQ(refusal.status, refused) << refusal.err;
  EXPECT_THAT(refusal.err, HasSubstr("chosen for osd." + osd));
  EXPECT_EQ(clean_up_kept("hdd").status, 0);
  EXPECT_EQ(names_in("hdd"), "");
}

TEST_F(PinnedRuns, AKilledPinnedRunIsCleanedUp) {
  const json first = record_of("hdd", "randread4k,size=2M,object-size=256k", {});
  const std::string osd = first["osds"].begin().key().substr(4);
  Process process(
      launch(words("hdd", "randread4k,size=4M,object-size=256k", until_ended({"--osd", osd}))));
  ASSERT_TRUE(await_second(process, 2));
  process.signal(SIGKILL);
  process.wait();
  EXPECT_NE(names_in("hdd"), "");
  EXPECT_EQ(radosload_here({"cleanup", "--yes", "--pool", "hdd"}).status, 0);
  EXPECT_EQ(names_in("hdd"), "");
}

TEST_F(PinnedRuns, TextNamesTheOsdsAndTheirSets) {
  const json first = record_of("hdd", "randread4k,size=2M,object-size=256k", {});
  const std::string osd = first["osds"].begin().key();
  const Finished done =
      run("hdd", "randrw4k,size=2M,object-size=256k", {"--osd", osd, "--no-progress"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("acting"));
  EXPECT_THAT(done.out, HasSubstr(osd + "  read"));
  EXPECT_THAT(done.out, HasSubstr("of its set"));
}

TEST_F(PinnedRuns, ImagesArePinnedByTheirDataObjects) {
  const json plain =
      record_of("ssd", "randread4k,size=16M", {"--create", "16M", "--data-pool", "hdd"});
  expect_sound(plain);
  ASSERT_FALSE(plain["osds"].empty());
  const std::string osd = plain["osds"].begin().key();
  const json one = record_of("ssd", "randread4k,object-size=64k",
                             {"--create", "16M", "--data-pool", "hdd", "--osd", osd});
  expect_sound(one);
  EXPECT_EQ(osds_of(one), osd + " ");
  EXPECT_EQ(images_in("ssd"), "");
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(PinnedRuns, StripedImagesArePinnedByTheUnit) {
  const ForeignImage image("striped", "32M",
                           {"--object-size", "1M", "--stripe-unit", "64K", "--stripe-count", "4"});
  const json plain =
      record_of("ssd", "randread4k,size=8M", {"--image", "striped", "--destroy-data"});
  expect_sound(plain);
  const std::string osd = plain["osds"].begin().key();
  const json one =
      record_of("ssd", "randread4k", {"--image", "striped", "--destroy-data", "--osd", osd});
  expect_sound(one);
  EXPECT_EQ(osds_of(one), osd + " ");
}

TEST_F(PinnedRuns, APgThatMovesMakesTheRunVoid) {
  const json first = record_of("hdd", "randread4k,size=2M,object-size=256k", {});
  const std::string osd = first["osds"].begin().key();
  // Time: the PG moves in it, and the run then ends by itself: Ctrl-C would give it another status.
  std::vector<std::string> pinned =
      words("hdd", "randread4k,size=2M,object-size=256k",
            {"--osd", osd, "--time", "30", "--rate", light_load, "--format", "json"});
  Process process(launch(pinned));
  // It knows where its PGs are.
  ASSERT_TRUE(await_second(process, 5));
  EXPECT_EQ(ceph({"osd", "primary-affinity", osd, "0"}).status, 0);
  EXPECT_TRUE(process.wait_for_output("moved from"));
  EXPECT_TRUE(await_more_operations(process, 100)) << "those of the other OSD";
  const Finished done = process.wait();
  EXPECT_EQ(ceph({"osd", "primary-affinity", osd, "1"}).status, 0);
  await_primary(osd);
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.err, HasSubstr("moved from"));
  const json record = json::parse(done.out);
  EXPECT_EQ(record["grade"]["value"], "void");
  EXPECT_GT(record["osds"].size(), 1U) << "operations sent afterwards are another OSD's";
}

// "osd.N" of the first one that serves objects of the pool.
std::string first_osd(const json& record) {
  return record["osds"].begin().key();
}

TEST_P(PinsInPool, EverySampledOperationIsOnItsPinnedOsd) {
  const CephUser observer("observer", {"mon", "allow r", "mgr", "allow r", "osd", "allow *"});
  const json all = record_of(GetParam(), "randread4k,size=16M", {});
  expect_sound(all);
  const std::string osd = first_osd(all);
  const json one = record_of(GetParam(), "randread4k,size=4M,object-size=256k",
                             {"--osd", osd, "--warmup", "1", "--observer-id", observer.id(),
                              "--observer-keyring", observer.keyring()});
  expect_sound(one);
  EXPECT_EQ(osds_of(one), osd + " ");
  EXPECT_EQ(one["osds"][osd]["read"]["ops"], one["totals"]["all"]["ops"]) << wrong_figure;
  EXPECT_EQ(one["environment"]["osds"][0]["id"].get<int>(), std::stoi(osd.substr(4)));
  EXPECT_FALSE(one["environment"]["osds"][0]["acting"].empty());
  const json& routing = one["routing"];
  EXPECT_EQ(routing["unsampled"], "");
  EXPECT_EQ(routing["uncounted"], "");
  EXPECT_TRUE(routing["strays"].empty()) << routing["strays"];
  ASSERT_EQ(routing["osds"].size(), 1U);
  const json& route = routing["osds"][osd];
  EXPECT_GT(route["sampled"].get<std::uint64_t>(), 0U);
  EXPECT_EQ(route["sampled"], route["there"]);
  const auto count = [](const json& of, const char* key) { return of[key].get<std::uint64_t>(); };
  EXPECT_GT(count(route, "sent"), count(one["totals"]["all"], "ops")) << "the warm-up is in it";
  EXPECT_GE(count(route["counters"], "op"), count(route, "answered"));
  EXPECT_GE(count(route["counters"], "op_r"), count(route, "answered"));
  EXPECT_GT(route["share_ours"].get<double>(), 0.9);
  EXPECT_EQ(names_in(GetParam()), "");
}

TEST_F(PinnedRuns, ImagesAreSampledToo) {
  const json one = record_of("ssd", "randrw4k,object-size=64k",
                             {"--create", "16M", "--data-pool", "hdd", "--osd", "class=hdd"});
  expect_sound(one);
  const json& routing = one["routing"];
  EXPECT_TRUE(routing["strays"].empty()) << routing;
  std::uint64_t sampled = 0;
  for (const auto& [osd, route] : routing["osds"].items()) {
    EXPECT_EQ(route["sampled"], route["there"]) << osd;
    sampled += route["sampled"].get<std::uint64_t>();
  }
  EXPECT_GT(sampled, 0U) << routing;
}

TEST_F(PinnedRuns, ObserverWithoutRights_OnlyCountersAreMissing) {
  const CephUser observer("blindfold", {"mon", "allow r"});
  const json record =
      record_of("hdd", "randread4k,size=4M",
                {"--observer-id", observer.id(), "--observer-keyring", observer.keyring()});
  expect_sound(record);
  const auto uncounted = record["routing"]["uncounted"].get<std::string>();
  EXPECT_THAT(uncounted, HasSubstr("allow *"));
  // 16.2.15 refuses it; an OSD of 18.2.7 does not answer a key without osd caps.
  EXPECT_THAT(uncounted, testing::AnyOf(HasSubstr("EACCES"), HasSubstr("ETIMEDOUT")));
  EXPECT_TRUE(is_clean(record["grade"]));
}

TEST_F(PinnedRuns, UnknownObserver_IsRefusedBeforeAnythingIsWritten) {
  const Finished missing = run("hdd", "randread4k,size=4M",
                               {"--observer-id", "watcher", "--observer-keyring", "/no/keyring"});
  EXPECT_EQ(missing.status, no_cluster);
  EXPECT_THAT(missing.err, HasSubstr("client.watcher"));
  EXPECT_THAT(missing.err, HasSubstr("/no/keyring"));
  const std::string keyring = m_state.with(
      "keyring", "[client.watcher]\n\tkey = AQBTPx9nAAAAABAAmQ3q3aWnXr1VY0n1r0kGgA==\n");
  const Finished unknown =
      run("hdd", "randread4k,size=4M", {"--observer-id", "watcher", "--observer-keyring", keyring});
  EXPECT_EQ(unknown.status, no_cluster);
  EXPECT_THAT(unknown.err, HasSubstr("--observer-id"));
  EXPECT_EQ(names_in("hdd"), "");
}

TEST_F(PinnedRuns, DryRun_PicksAndRefusesLikeTheRun) {
  const std::string osd = first_osd(record_of("hdd", "randread4k,size=4M", {}));
  const Finished shown = run("hdd", "randread4k,size=2M,object-size=256k",
                             {"--osd", osd, "--dry-run", "--format", "json"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  const json preview = json::parse(shown.out);
  ASSERT_EQ(preview["pinned"].size(), 1U);
  EXPECT_EQ("osd." + std::to_string(preview["pinned"][0]["id"].get<int>()), osd);
  EXPECT_EQ(preview["pinned"][0]["objects"], 8);
  EXPECT_FALSE(preview["environment"]["osds"][0]["acting"].empty());
  const std::vector<std::string> impossible = {"--osd", osd, "--pin", "all"};
  const Finished refusal = run("hdd", "randread4k,size=4M", impossible);
  std::vector<std::string> dry = impossible;
  dry.emplace_back("--dry-run");
  const Finished foreseen = run("hdd", "randread4k,size=4M", dry);
  EXPECT_EQ(foreseen.status, refused) << foreseen.err;
  EXPECT_EQ(foreseen.status, refusal.status);
  EXPECT_EQ(foreseen.err, refusal.err);
}

TEST_F(PinnedRuns, Each_PrintsOneTable) {
  const Finished done = run("hdd", "randread4k,size=1M,object-size=256k,qd=2",
                            {"--osd", "class=hdd", "--each", "--rounds", "2"});
  EXPECT_EQ(done.status, 0) << done.err << done.out;
  EXPECT_THAT(done.out, HasSubstr("lowest .. highest"));
  EXPECT_THAT(done.out, HasSubstr("round 2 osd."));
  EXPECT_EQ(names_in("hdd"), "");
  const Finished shown = test::run(launch({"--resume", "last", "--format", "json"}));
  ASSERT_EQ(shown.status, 0) << shown.err;
  const json series = json::parse(shown.out);
  for (const json& step : series["steps"]) {
    expect_sound(step["record"]);
    EXPECT_EQ(osds_of(step["record"]),
              "osd." + step["record"]["plan"]["osd"].get<std::string>() + " ");
  }
}

TEST_F(PinnedRuns, ImpossiblePins_ErrorHasTheReason) {
  const Finished unknown = run("ssd", "randread4k", {"--osd", "4711"});
  EXPECT_NE(unknown.status, 0);
  EXPECT_THAT(unknown.err, HasSubstr("4711"));
  const Finished listing = run("ssd", "list", {"--osd", "0"});
  EXPECT_EQ(listing.status, 2);
  const Finished nowhere = run("ssd", "randread4k", {"--pin", "all"});
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("--osd"));
  const Finished alone =
      run("hdd", "randread4k,size=4M", {"--osd", "class=hdd", "--pin", "primary"});
  EXPECT_EQ(alone.status, 0) << alone.err;
  // One OSD cannot hold three copies.
  const json record = record_of("hdd", "randread4k,size=4M", {});
  const std::string osd = record["osds"].begin().key().substr(4);
  const Finished set = run("hdd", "randread4k,size=4M", {"--osd", osd, "--pin", "all"});
  EXPECT_EQ(set.status, refused) << set.err;
  EXPECT_THAT(set.err, HasSubstr("lies wholly on these OSDs"));
  EXPECT_EQ(names_in("hdd"), "");
}

}  // namespace
}  // namespace radosload::test
