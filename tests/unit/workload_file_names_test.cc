// What the files of a run on a file system are called.

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "workload/file_names.h"

namespace radosload::workload {
namespace {

std::string text(const FilePath& path) {
  return path.data();
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

TEST(FileNames, FilesLieInDirectoriesOfSoMany) {
  EXPECT_EQ(text(directory_path(0)), "/d000000");
  EXPECT_EQ(text(file_path(0, 10'000)), "/d000000/f000000000000");
  EXPECT_EQ(text(file_path(9'999, 10'000)), "/d000000/f000000009999");
  EXPECT_EQ(text(file_path(10'000, 10'000)), "/d000001/f000000010000");
  EXPECT_EQ(text(file_path(123'456, 1)), "/d123456/f000000123456");
}

TEST(FileNames, OnlyTheirOwnAreNamesOfRadosload) {
  EXPECT_TRUE(is_directory_name("d000003"));
  EXPECT_TRUE(is_file_name("f000000000042"));
  for (const std::string_view other : {"", "d", "d00000", "d0000003", "D000003", "d00000x", "..",
                                       "f00000000004", "data", "f00000000004/", "d000003/"}) {
    EXPECT_FALSE(is_directory_name(other)) << other;
    EXPECT_FALSE(is_file_name(other)) << other;
  }
}

RC_GTEST_PROP(FileNames, EachFileHasItsOwnNameInTheDirectoryOfItsNumber, ()) {
  const auto file = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000);
  const auto entries = *rc::gen::inRange<std::uint64_t>(1'000, 1'000'000);
  const std::string path = text(file_path(file, entries));
  RC_ASSERT(is_file_name(last_part(path)));
  RC_ASSERT(path.substr(0, path.rfind('/')) == text(directory_path(file / entries)));
  RC_ASSERT(text(file_path(file + 1, entries)) != path);
}

}  // namespace
}  // namespace radosload::workload
