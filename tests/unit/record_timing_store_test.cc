// The store of timings: a folder of its own, which readers of runs and series never look into.
#include <filesystem>

#include <gtest/gtest.h>

#include "record/series_store.h"
#include "record/timing_store.h"
#include "support/files.h"

namespace radosload::record {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

constexpr const char* document = "{\"schema\": \"radosload.time/1\", \"rows\": []}\n";

TEST(TimingStore, FindsByIdBeginningAndPath) {
  const TemporaryFolder temp;
  const Store runs = *Store::open(temp.path() / "runs");
  const TimingStore store = *TimingStore::beside(runs);
  ASSERT_TRUE(store.create());
  const std::vector<std::string> ids = {"t20261121-040012345-9f3a", "t20261120-000000000-aaaa"};
  for (const std::string& id : ids) {
    ASSERT_TRUE(save(store.document_path(id), document, Existing::refuse));
  }
  EXPECT_EQ(store.list(), ids);
  EXPECT_EQ(store.find("t20261120"), store.document_path(ids[1]));
  EXPECT_EQ(store.find("/some/where.json"), fs::path("/some/where.json"));
  EXPECT_EQ(store.find("t2026").error().exit, Exit::usage);
  EXPECT_TRUE(holds_timing(store.document_path(ids[0])));
  EXPECT_EQ(load_timing(store.document_path(ids[0])), document);
}

TEST(TimingStore, IsForItsOwnerOnlyAndReadersOfRunsDoNotSeeIt) {
  const TemporaryFolder temp;
  const Store runs = *Store::open(temp.path() / "runs");
  const TimingStore store = *TimingStore::beside(runs);
  ASSERT_TRUE(store.create());
  const fs::path path = store.document_path("t20261121-040012345-9f3a");
  ASSERT_TRUE(save(path, document, Existing::refuse));
  EXPECT_EQ(fs::status(path.parent_path()).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(runs.list()->run_ids.empty());
  EXPECT_TRUE(runs.list()->unreadable.empty());
  EXPECT_TRUE(SeriesStore::beside(runs)->list()->empty());
  EXPECT_FALSE(runs.load("t20261121"));
  EXPECT_FALSE(runs.load("last"));
  EXPECT_FALSE(holds_series(path));
}

TEST(TimingStore, OtherFilesAreNotTimings) {
  const TemporaryFolder temp;
  const fs::path path = temp.path() / "one.json";
  for (const char* text :
       {"", "[1]", "{}", "{\"schema\": 1}", "{\"schema\": \"radosload.run/1\"}"}) {
    ASSERT_TRUE(save(path, text, Existing::replace));
    EXPECT_FALSE(holds_timing(path)) << text;
  }
  EXPECT_FALSE(holds_timing(temp.path()));
  EXPECT_FALSE(holds_timing(temp.path() / "none"));
}

}  // namespace
}  // namespace radosload::record
