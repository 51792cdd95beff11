// A file of lines that grows: whole lines stay, torn ones go away.

#include <chrono>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "record/line_journal.h"
#include "support/files.h"

namespace radosload::record {
namespace {

TEST(LineJournal, Lines_AreThereAsSoonAsTheyAreAppended) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "lines.jsonl";
  EXPECT_EQ(read_lines(path).value(), "");
  auto journal = LineJournal::open(path);
  ASSERT_TRUE(journal);
  ASSERT_TRUE(journal->append("one\n"));
  EXPECT_EQ(read_lines(path).value(), "one\n");
  ASSERT_TRUE(journal->append("two\n"));
  EXPECT_EQ(read_lines(path).value(), "one\ntwo\n");
}

TEST(LineJournal, TornLine_GoesAwayWhenItIsContinued) {
  const test::TemporaryFolder folder;
  const std::string path = folder.with("lines.jsonl", "one\ntw");
  auto journal = LineJournal::open(path);
  ASSERT_TRUE(journal);
  ASSERT_TRUE(journal->append("three\n"));
  EXPECT_EQ(read_lines(path).value(), "one\nthree\n");
}

TEST(LineJournal, SymbolicLink_IsNotFollowed) {
  const test::TemporaryFolder folder;
  const std::string other = folder.with("other", "precious\n");
  const auto path = folder.path() / "lines.jsonl";
  std::filesystem::create_symlink(other, path);
  EXPECT_FALSE(LineJournal::open(path));
  EXPECT_EQ(test::read_file(other), "precious\n");
}

TEST(LineJournal, FullDisk_IsAnErrorWithADeviceForIt) {
  auto journal = LineJournal::open("/dev/full");
  ASSERT_TRUE(journal);
  const auto kept = journal->append("one\n");
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().errnum, ENOSPC);
  EXPECT_THAT(kept.error().hint, ::testing::HasSubstr("--resume"));
}

}  // namespace
}  // namespace radosload::record
