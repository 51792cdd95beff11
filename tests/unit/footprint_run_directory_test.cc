// The directory of a run in a file system: made once, marked, and removed with nothing else.

#include <cerrno>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/run_directory.h"
#include "unit/memory_tree.h"
#include "workload/file_names.h"

namespace radosload::footprint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

using test::MemoryTree;

std::shared_ptr<MemoryTree> tree_of_run(std::uint64_t files, std::uint64_t entries) {
  auto tree = std::make_shared<MemoryTree>();
  tree->attributes["/"][run_attribute] = "r1";
  for (std::uint64_t i = 0; i < files; ++i) {
    tree->names[workload::directory_path(i / entries).data()] = MemoryTree::Kind::directory;
    tree->names[workload::file_path(i, entries).data()] = MemoryTree::Kind::file;
  }
  return tree;
}

RemovalOptions hurried() {
  return {.depth = 4, .stall_limit = std::chrono::milliseconds(300)};
}

TEST(RunDirectory, IsMadeAndMarkedWithItsRun) {
  MemoryTree runs;
  ASSERT_TRUE(make_run_directory(runs, "r1"));
  EXPECT_EQ(runs.is_directory("/r1"), 1);
  EXPECT_THAT(runs.attributes.at("/r1"), ElementsAre(Pair("user.radosload.run", "r1")));
  ASSERT_TRUE(make_run_directory(runs, "r2", "fast"));
  EXPECT_EQ(runs.attributes.at("/r2").at("ceph.dir.layout.pool"), "fast");
}

TEST(RunDirectory, OneThatIsThere_IsRefusedAndNotMarked) {
  MemoryTree runs;
  for (const auto kind : {MemoryTree::Kind::directory, MemoryTree::Kind::link}) {
    runs.names["/r1"] = kind;
    const Status made = make_run_directory(runs, "r1");
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().exit, Exit::refused);
    EXPECT_TRUE(runs.attributes.empty());
  }
}

TEST(RunDirectory, WithoutTheRight_SaysWhichCapsAreNeeded) {
  MemoryTree runs;
  runs.failing["/r1"] = -EACCES;
  const Status made = make_run_directory(runs, "r1");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().exit, Exit::no_cluster);
  EXPECT_THAT(made.error().message(), HasSubstr("allow rw path=/radosload"));
  runs.failing = {{"/r2 ceph.dir.layout.pool", -EPERM}};
  const Status placed = make_run_directory(runs, "r2", "fast");
  ASSERT_FALSE(placed);
  EXPECT_THAT(placed.error().message(), HasSubstr("allow rwp"));
}

TEST(RunDirectory, OfAnotherRunOrOfNobody_IsLeftAlone) {
  auto tree = tree_of_run(3, 2);
  EXPECT_TRUE(check_is_of_run(*tree, "r1"));
  const Status other = check_is_of_run(*tree, "r2");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().exit, Exit::refused);
  tree->attributes.clear();
  EXPECT_FALSE(check_is_of_run(*tree, "r1"));
  // Killed between making and marking it.
  EXPECT_TRUE(check_is_of_run(*std::make_shared<MemoryTree>(), "r1"));
}

TEST(RunDirectory, FilesAreMadeInTheirDirectoriesAndHaveInodes) {
  MemoryTree own;
  const auto first = make_run_files(own, 0, 3, 2);
  const auto more = make_run_files(own, 3, 2, 2);
  ASSERT_TRUE(first && more);
  EXPECT_EQ(own.names.count(workload::file_path(4, 2).data()), 1U);
  std::set<std::uint64_t> inodes(first->begin(), first->end());
  inodes.insert(more->begin(), more->end());
  EXPECT_EQ(inodes.size(), 5U);
  EXPECT_EQ(inodes.count(0), 0U);
  const auto again = make_run_files(own, 4, 1, 2);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().errnum, EEXIST);
}

TEST(RunDirectory, AllFilesOfARun_AreRemovedWithTheirDirectories) {
  const auto tree = tree_of_run(2'345, 100);
  std::uint64_t told = 0;
  RemovalOptions options = hurried();
  options.progress = [&](const RemovalCount& count) {
    told = count.done();
    return true;
  };
  const Removal removal = remove_run_files(tree, options);
  EXPECT_TRUE(removal.ended) << removal.ended.error().message();
  EXPECT_EQ(removal.count.removed, 2'345U);
  EXPECT_EQ(told, 2'345U);
  EXPECT_EQ(tree->names.size(), 1U);
}

TEST(RunDirectory, NamesThatAreNotOfRadosload_Stay) {
  const auto tree = tree_of_run(10, 5);
  tree->names["/d000000/notes.txt"] = MemoryTree::Kind::file;
  tree->names["/home"] = MemoryTree::Kind::directory;
  tree->names["/home/f000000000001"] = MemoryTree::Kind::file;
  // A link with such a name is not followed.
  tree->names["/d000007"] = MemoryTree::Kind::link;
  tree->names["/d000007/f000000000001"] = MemoryTree::Kind::file;
  const Removal removal = remove_run_files(tree, hurried());
  EXPECT_TRUE(removal.ended);
  EXPECT_EQ(removal.count.removed, 10U);
  std::vector<std::string> left;
  for (const auto& [name, kind] : tree->names) left.push_back(name);
  EXPECT_THAT(left, ElementsAre("/", "/d000000", "/d000000/notes.txt", "/d000007",
                                "/d000007/f000000000001", "/home", "/home/f000000000001"));
}

TEST(RunDirectory, FilesThatCannotBeRemoved_AreToldWithTheReason) {
  const auto tree = tree_of_run(10, 5);
  tree->failing["/d000001/f000000000007"] = -EACCES;
  const Removal removal = remove_run_files(tree, hurried());
  ASSERT_FALSE(removal.ended);
  EXPECT_EQ(removal.ended.error().errnum, EACCES);
  EXPECT_EQ(removal.count.removed, 9U);
  EXPECT_EQ(removal.count.failures(), 1U);
}

TEST(RunDirectory, NoMdsAnswers_RemovalEndsAndNothingHangs) {
  const auto tree = tree_of_run(10, 5);
  tree->hanging = true;
  const Removal removal = remove_run_files(tree, hurried());
  ASSERT_FALSE(removal.ended);
  EXPECT_EQ(removal.ended.error().errnum, ETIMEDOUT);
  EXPECT_LE(tree->removals, 4);
  EXPECT_EQ(tree->names.size(), 13U);
}

TEST(RunDirectory, Interrupted_StopsAndSaysThatItContinues) {
  const auto tree = tree_of_run(10, 5);
  RemovalOptions options = hurried();
  options.progress = [](const RemovalCount&) { return false; };
  const Removal removal = remove_run_files(tree, options);
  ASSERT_FALSE(removal.ended);
  EXPECT_EQ(removal.ended.error().errnum, EINTR);
}

}  // namespace
}  // namespace radosload::footprint
