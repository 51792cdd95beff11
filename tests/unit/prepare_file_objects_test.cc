// The objects behind the files of a run: made before the load, and only where each file is one
// object.

#include <cerrno>
#include <chrono>
#include <csignal>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "prepare/file_objects.h"
#include "unit/memory_tree.h"
#include "workload/file_names.h"

#include <fmt/format.h>

namespace radosload::prepare {
namespace {

using test::MemoryTree;
using ::testing::HasSubstr;

constexpr Time patience = std::chrono::seconds(5);
constexpr FileShape shape = {.files = 1'200, .entries = 500, .size = Bytes{4U << 20U}};

// Files that are laid out so; the first one says it.
std::shared_ptr<MemoryTree> tree_with(const std::map<std::string, std::string>& layout) {
  auto tree = std::make_shared<MemoryTree>();
  for (const auto& [key, value] : layout) {
    const std::string first = workload::file_path(0, shape.entries).data();
    tree->attributes[first]["ceph.file.layout." + key] = value;
  }
  return tree;
}

std::size_t files_in(const MemoryTree& tree) {
  std::size_t files = 0;
  for (const auto& [name, kind] : tree.names) files += kind == MemoryTree::Kind::file ? 1 : 0;
  return files;
}

class FileObjectsTest : public ::testing::Test {
 protected:
  base::Interrupts m_interrupts{[] {}};
};

TEST_F(FileObjectsTest, EachFileHasAnInode) {
  const auto tree = tree_with({{"object_size", "4194304"},
                               {"stripe_unit", "4194304"},
                               {"stripe_count", "1"},
                               {"pool_namespace", "theirs"}});
  const auto made = make_file_objects(tree, shape, patience, m_interrupts);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->inodes.size(), shape.files);
  EXPECT_EQ(made->nspace, "theirs");
  EXPECT_EQ(files_in(*tree), shape.files);
  ClusterSession session;
  session.lanes.emplace_back();
  const ObjectNaming names = names_of_file_objects(RunPlan{}, session, *made);
  EXPECT_EQ(names.name_of(1), fmt::format("{:x}.00000000", made->inodes[1]));
}

TEST_F(FileObjectsTest, FilesOfSeveralObjects_AreNotPlaced) {
  for (const auto& layout : std::vector<std::map<std::string, std::string>>{
           {{"object_size", "1048576"}, {"stripe_unit", "1048576"}, {"stripe_count", "1"}},
           {{"object_size", "4194304"}, {"stripe_unit", "65536"}, {"stripe_count", "2"}},
           {}}) {
    const auto tree = tree_with(layout);
    const auto made = make_file_objects(tree, shape, patience, m_interrupts);
    ASSERT_TRUE(made) << made.error().message();
    EXPECT_TRUE(made->inodes.empty());
    EXPECT_LE(files_in(*tree), 1U);
  }
}

TEST_F(FileObjectsTest, StripedFileThatFitsIntoItsFirstUnit_IsOneObject) {
  const auto tree =
      tree_with({{"object_size", "8388608"}, {"stripe_unit", "4194304"}, {"stripe_count", "3"}});
  const auto made = make_file_objects(tree, shape, patience, m_interrupts);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->inodes.size(), shape.files);
}

TEST_F(FileObjectsTest, Interrupted_StopsEarly) {
  const auto tree =
      tree_with({{"object_size", "4194304"}, {"stripe_unit", "4194304"}, {"stripe_count", "1"}});
  m_interrupts.notice(SIGINT);
  const auto made = make_file_objects(tree, shape, patience, m_interrupts);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().exit, Exit::interrupted);
  EXPECT_EQ(files_in(*tree), 1U);
}

TEST_F(FileObjectsTest, FileThatIsRefused_IsNamed) {
  const auto tree =
      tree_with({{"object_size", "4194304"}, {"stripe_unit", "4194304"}, {"stripe_count", "1"}});
  tree->failing[workload::file_path(700, shape.entries).data()] = -EDQUOT;
  const auto made = make_file_objects(tree, shape, patience, m_interrupts);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().errnum, EDQUOT);
  EXPECT_THAT(made.error().message(), HasSubstr("f000000000700"));
}

}  // namespace
}  // namespace radosload::prepare
