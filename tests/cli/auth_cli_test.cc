// `radosload auth`, which asks no cluster.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

TEST(AuthCli, OneFeature_PrintsAValidShellCommand) {
  const Finished done = radosload({"auth", "run", "--id", "bench", "--pool", "ssd"});
  EXPECT_EQ(done.status, 0) << done.err;
  const std::size_t begin = done.out.find("ceph auth");
  ASSERT_NE(begin, std::string::npos);
  const std::string command = done.out.substr(begin, done.out.find("\n\n", begin) - begin);
  // Its words, as the shell splits them.
  const Finished words =
      run({.words = {"bash", "-c", "ceph() { printf '<%s>' \"$@\"; }; " + command}});
  EXPECT_EQ(words.out,
            "<auth><get-or-create><client.bench><mon><allow r><mgr><allow r><osd>"
            "<allow rw pool=ssd namespace=radosload><-o><ceph.client.bench.keyring>");
  EXPECT_THAT(done.out, HasSubstr("radosload --pool ssd --pattern randrw4k \\\n"
                                  "    --id bench --keyring ceph.client.bench.keyring\n"));
}

TEST(AuthCli, WithoutAFeature_ListsAll) {
  const Finished done = radosload({"auth"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, AllOf(HasSubstr("run, pinning"), HasSubstr("images"), HasSubstr("watch"),
                              HasSubstr("scratch"), HasSubstr("osd 'allow *'")));
}

TEST(AuthCli, Json_HasOneEntryForEachFeature) {
  const json all = json::parse(radosload({"auth", "--json"}).out);
  EXPECT_EQ(all["schema"], "radosload.auth/1");
  EXPECT_GE(all["features"].size(), 10U);
  const json one = json::parse(radosload({"auth", "osds", "--json"}).out);
  ASSERT_EQ(one["features"].size(), 1U);
  EXPECT_EQ(one["features"][0]["feature"], "osds");
  EXPECT_TRUE(one["features"][0]["osd"].is_null());
  EXPECT_THAT(one["features"][0]["command"].get<std::string>(),
              HasSubstr("ceph auth get-or-create client.reader mon 'allow r'"));
}

TEST(AuthCli, InvalidOptions_AreUsageErrors) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"auth", "wach"},
                                                {"auth", "run", "--pool", "it's"},
                                                {"auth", "run", "--id", "a b"},
                                                {"auth", "run", "images"}}) {
    const Finished done = radosload(words);
    EXPECT_EQ(done.status, usage) << words.back();
    EXPECT_EQ(done.out, "");
  }
}

}  // namespace
}  // namespace radosload::test
