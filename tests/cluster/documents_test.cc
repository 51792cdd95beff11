// JSON of every command that needs a cluster. That it follows its schema is checked wherever a test
// gets a document (support/documents.h); here each command is called once.
#include "support/documents.h"

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/runs.h"
#include "support/cluster.h"
#include "support/files.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

constexpr int dry_refusal = 4;

class Documents : public testing::Test {
 protected:
  json document(const Words& words, int status = 0) const {
    const Finished done = radosload_here(words, {{"XDG_STATE_HOME", m_folder.path().string()}});
    EXPECT_EQ(done.status, status) << words.front() << done.err;
    EXPECT_TRUE(is_document(done.out)) << words.front() << done.out;
    return is_document(done.out) ? json::parse(done.out) : json();
  }

 private:
  TemporaryFolder m_folder;
};

TEST_F(Documents, OfTheCluster_FollowTheirSchemas) {
  EXPECT_EQ(document({"status", "--json"})["schema"], "radosload.status/1");
  EXPECT_TRUE(document({"osds", "--json"})["matches"].is_null());
  EXPECT_TRUE(document({"osds", "--match", "--json"})["matches"].is_array());
}

TEST_F(Documents, OfScratchPools_FollowTheirSchemas) {
  EXPECT_TRUE(document({"scratch", "list", "--json"})["pools"].is_array());
  const json planned = document({"scratch", "create", "--osd", "0", "--json"}, dry_refusal);
  EXPECT_EQ(planned["planned"]["osds"], json::array({0}));
  EXPECT_TRUE(document({"cleanup", "--scratch", "--dry-run", "--json"})["removed"].is_array());
}

TEST_F(Documents, OfARunAndItsCleanup_FollowTheirSchemas) {
  const Words load = few_operations({"--pool", "hdd", "--pattern", "randrw4k,size=16M", "--warmup",
                                     "0s", "--no-progress", "--json", "--keep"});
  Words preview = load;
  preview.emplace_back("--dry-run");
  EXPECT_EQ(document(preview)["schema"], "radosload.preview/1");
  const std::string run = document(load)["run_id"];
  const Words cleanup = {"cleanup", "--yes", "--pool", "hdd", "--run", run, "--json"};
  Words dry = cleanup;
  dry.emplace_back("--dry-run");
  const json would = document(dry);
  EXPECT_EQ(would["runs"][0]["fate"], "would");
  EXPECT_EQ(would["objects_removed"], 0U);
  const json removed = document(cleanup);
  EXPECT_EQ(removed["runs"][0]["fate"], "removed");
  EXPECT_GT(removed["objects_removed"], 0U);
  EXPECT_EQ(removed["complete"], true);
}

}  // namespace
}  // namespace radosload::test
