// The document of a baseline and its store: what is written reads back, only its owner may read it,
// and another baseline is never taken for it.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "record/baseline.h"
#include "record/record_codec.h"
#include "record/series_store.h"
#include "support/files.h"
#include "unit/record_support.h"

#include <nlohmann/json.hpp>

namespace radosload::record {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using ::testing::HasSubstr;

Baseline a_baseline(const std::string& name = "before") {
  return {.name = name,
          .kept = "2026-11-26T04:00:12Z",
          .program = "radosload 0.1.0",
          .primary = "iops",
          .threshold = 0.05,
          .level = 0.95,
          .objections = {"20261121-040012345-9f3a: contaminated: osd.3 restarted"},
          .runs = {testing::folded({testing::interval_of({})})}};
}

RC_GTEST_PROP(BaselineCodec, EveryBaseline_ReadsBack, ()) {
  Baseline baseline = a_baseline();
  baseline.primary = *rc::gen::element<std::string>("", "none", "read p99_us");
  baseline.threshold = *rc::gen::element(0.0, 0.05, 10.0);
  baseline.runs.push_back(testing::folded(*testing::runs()));
  const auto back = baseline_from_json(to_json(baseline), "here");
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == baseline);
}

TEST(BaselineCodec, OtherDocument_ErrorNamesTheFile) {
  Baseline empty = a_baseline();
  empty.runs.clear();
  Baseline level = a_baseline();
  level.level = 1;
  Baseline threshold = a_baseline();
  threshold.threshold = -0.1;
  Baseline name = a_baseline();
  name.name = "../before";
  const std::string run = to_json(Folder(testing::a_header()).record());
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[1]"), run, to_json(empty), to_json(level),
        to_json(threshold), to_json(name)}) {
    const auto read = baseline_from_json(text, "/some/where.json");
    ASSERT_FALSE(read) << text.substr(0, 80);
    EXPECT_EQ(read.error().subject, "/some/where.json");
    EXPECT_FALSE(read.error().reason.empty());
  }
}

TEST(BaselineName, IsAWordThatCanBeAFile) {
  for (const char* const good : {"before", "16.2.15", "a", "v18_x-2", "A.b"}) {
    EXPECT_TRUE(is_baseline_name(good)) << good;
  }
  for (const std::string& bad :
       {std::string(), std::string(".hidden"), std::string("-x"), std::string("a/b"),
        std::string("a b"), std::string("a\n"), std::string("\xc3\xa4"), std::string(65, 'a')}) {
    EXPECT_FALSE(is_baseline_name(bad)) << bad;
  }
}

class BaselineStores : public ::testing::Test {
 protected:
  const TemporaryFolder m_temp;
  const Store m_runs = *Store::open(m_temp.path() / "runs");
  const BaselineStore m_store = *BaselineStore::beside(m_runs);
};

TEST_F(BaselineStores, SavedOne_IsReadBackAndForItsOwnerOnly) {
  EXPECT_TRUE(m_store.list()->empty());
  ASSERT_TRUE(m_store.save(a_baseline(), Existing::refuse));
  EXPECT_EQ(*m_store.load("before"), a_baseline());
  const fs::path path = m_store.document_path("before");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(path.parent_path()).permissions(), fs::perms::owner_all);
  EXPECT_TRUE(m_runs.list()->run_ids.empty());
  EXPECT_TRUE(SeriesStore::beside(m_runs)->list()->empty());
}

TEST_F(BaselineStores, ExistingOne_IsReplacedOnlyIfAsked) {
  ASSERT_TRUE(m_store.save(a_baseline(), Existing::refuse));
  Baseline other = a_baseline();
  other.primary = "none";
  EXPECT_FALSE(m_store.save(other, Existing::refuse));
  EXPECT_EQ(m_store.load("before")->primary, "iops");
  ASSERT_TRUE(m_store.save(other, Existing::replace));
  EXPECT_EQ(m_store.load("before")->primary, "none");
}

TEST_F(BaselineStores, BeginningOfAName_IsNotEnough) {
  ASSERT_TRUE(m_store.save(a_baseline("before-upgrade"), Existing::refuse));
  const auto none = m_store.load("before");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().exit, Exit::usage);
  EXPECT_THAT(none.error().hint, HasSubstr("before-upgrade"));
  EXPECT_FALSE(m_store.load("../runs/x"));
  EXPECT_FALSE(m_store.load("last"));
  EXPECT_FALSE(m_store.remove("before"));
}

TEST_F(BaselineStores, FileOfAnotherName_IsRefused) {
  ASSERT_TRUE(m_store.save(a_baseline("one"), Existing::refuse));
  fs::copy_file(m_store.document_path("one"), m_store.document_path("two"));
  const auto read = m_store.load("two");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().reason, HasSubstr("it is baseline one, not two"));
}

TEST_F(BaselineStores, RemovedOne_IsGone) {
  ASSERT_TRUE(m_store.save(a_baseline(), Existing::refuse));
  ASSERT_TRUE(m_store.remove("before"));
  EXPECT_FALSE(m_store.holds("before"));
  EXPECT_THAT(m_store.load("before").error().reason, HasSubstr("no baseline has been kept yet"));
}

}  // namespace
}  // namespace radosload::record
