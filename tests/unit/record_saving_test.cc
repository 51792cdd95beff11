#include <cerrno>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "record/file.h"
#include "record/saving.h"
#include "record/series_store.h"
#include "support/files.h"

namespace radosload::record {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

std::string content_of(const fs::path& path) {
  const auto content = read_file(path);
  return content ? *content : "unreadable";
}

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Saving, AnExistingFileStays_UnlessItMayBeReplaced) {
  const TemporaryFolder temp;
  const fs::path path = temp.with("run.json", "mine");
  for (const Status& status :
       {check_place(path, Existing::refuse), save(path, "new", Existing::refuse)}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().exit, Exit::refused);
    EXPECT_NE(status.error().message().find("--overwrite"), std::string::npos);
  }
  EXPECT_EQ(content_of(path), "mine");
  EXPECT_TRUE(check_place(path, Existing::replace));
  EXPECT_EQ(content_of(path), "mine");
  EXPECT_TRUE(save(path, "new", Existing::replace));
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(entries_in(temp.path()), 1U);
}

TEST(Saving, ANewFile_IsItsOwnersAndHasNoDraftBesideIt) {
  const TemporaryFolder temp;
  const fs::path path = temp.path() / "run.json";
  EXPECT_TRUE(check_place(path, Existing::refuse));
  EXPECT_EQ(entries_in(temp.path()), 0U) << "looking leaves nothing";
  ASSERT_TRUE(save(path, "new", Existing::refuse));
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(entries_in(temp.path()), 1U);
}

// In a folder that others can write to, whoever plants a link chooses what is written.
TEST(Saving, ASymbolicLink_IsNeverFollowed) {
  const TemporaryFolder temp;
  const fs::path victim = temp.with("victim", "precious");
  const fs::path link = temp.path() / "run.json";
  const fs::path nowhere = temp.path() / "nowhere";
  for (const fs::path& target : {victim, nowhere, fs::path("/dev/null")}) {
    fs::create_symlink(target, link);
    EXPECT_FALSE(check_place(link, Existing::refuse)) << target;
    EXPECT_FALSE(save(link, "new", Existing::refuse)) << target;
    EXPECT_TRUE(fs::is_symlink(link)) << target;
    EXPECT_TRUE(save(link, "new", Existing::replace)) << target;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(link))) << target;
    fs::remove(link);
  }
  EXPECT_EQ(content_of(victim), "precious");
  EXPECT_FALSE(fs::exists(nowhere));
}

TEST(Saving, LinkInPlaceOfTheDraft_IsNotFollowedAndSavingSucceeds) {
  const TemporaryFolder temp;
  const fs::path victim = temp.with("victim", "precious");
  const fs::path path = temp.path() / "run.json";
  const std::string own = path.string() + "." + std::to_string(::getpid());
  fs::create_symlink(victim, own + ".new");
  fs::create_symlink(victim, own + "-0.new");
  ASSERT_TRUE(save(path, "new", Existing::refuse));
  EXPECT_EQ(content_of(victim), "precious");
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(entries_in(temp.path()), 4U);
}

TEST(Saving, FileCreatedSinceTheCheck_IsKept) {
  const TemporaryFolder temp;
  const fs::path path = temp.path() / "run.json";
  ASSERT_TRUE(check_place(path, Existing::refuse));
  std::ofstream(path) << "quicker";
  EXPECT_FALSE(save(path, "new", Existing::refuse));
  EXPECT_EQ(content_of(path), "quicker");
  EXPECT_EQ(entries_in(temp.path()), 1U);
}

TEST(Saving, APlaceThatCannotBeWritten_IsRefusedBeforehand) {
  const TemporaryFolder temp;
  const fs::path file = temp.with("file", "x");
  const std::vector<std::pair<fs::path, int>> wrong = {
      {temp.path() / "none" / "run.json", ENOENT}, {file / "run.json", ENOTDIR}, {temp.path(), 0}};
  for (const auto& [path, errnum] : wrong) {
    for (const Existing existing : {Existing::refuse, Existing::replace}) {
      const Status status = check_place(path, existing);
      ASSERT_FALSE(status) << path;
      EXPECT_EQ(status.error().exit, Exit::refused) << path;
      EXPECT_EQ(status.error().errnum, errnum) << path;
    }
  }
}

TEST(SeriesLock, ForeignFileInItsPlace_IsKept) {
  const TemporaryFolder temp;
  const fs::path lock = temp.with("s.json.lock", "my notes");
  {
    const auto first = SeriesLock::acquire(temp.path() / "s.json");
    ASSERT_TRUE(first) << first.error().message();
    EXPECT_FALSE(SeriesLock::acquire(temp.path() / "s.json")) << "it locks all the same";
  }
  EXPECT_EQ(content_of(lock), "my notes");
}

TEST(SeriesLock, ALinkInItsPlace_IsNotFollowed) {
  const TemporaryFolder temp;
  fs::create_symlink(temp.path() / "nowhere", temp.path() / "s.json.lock");
  EXPECT_FALSE(SeriesLock::acquire(temp.path() / "s.json"));
  EXPECT_FALSE(fs::exists(temp.path() / "nowhere"));
}

TEST(SeriesLock, LockOfAKilledProcess_IsTakenOverAndRemoved) {
  const TemporaryFolder temp;
  const fs::path lock = temp.path() / "s.json.lock";
  std::string left;
  {
    const auto first = SeriesLock::acquire(temp.path() / "s.json");
    ASSERT_TRUE(first);
    left = content_of(lock);
  }
  std::ofstream(lock) << left;
  { EXPECT_TRUE(SeriesLock::acquire(temp.path() / "s.json")); }
  EXPECT_EQ(entries_in(temp.path()), 0U);
}

}  // namespace
}  // namespace radosload::record
