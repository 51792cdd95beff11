#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "record/archive.h"
#include "support/files.h"
#include "support/process.h"

namespace radosload::record {
namespace {

using ::testing::HasSubstr;

const std::chrono::system_clock::time_point moment{std::chrono::seconds(1'700'000'000)};

TEST(Archive, TarReadsBackWhatWasPacked) {
  std::string bytes(1'000'003, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7919 % 251);
  const auto packed =
      tar_gz({{"a/empty", ""}, {"a/block", std::string(512, 'x')}, {"a/big", bytes}}, moment);
  ASSERT_TRUE(packed);
  const test::TemporaryFolder folder;
  const std::string archive = folder.with("a.tar.gz", *packed);
  const auto tar = test::run({.words = {"tar", "-xvzf", archive, "-C", folder.path().string()}});
  EXPECT_EQ(tar.status, 0) << tar.err;
  EXPECT_EQ(tar.out, "a/empty\na/block\na/big\n");
  EXPECT_EQ(test::read_file(folder.path() / "a/empty"), "");
  EXPECT_EQ(test::read_file(folder.path() / "a/block"), std::string(512, 'x'));
  EXPECT_EQ(test::read_file(folder.path() / "a/big"), bytes);
}

TEST(Archive, MembersHaveModeTimeAndNoOwner) {
  const auto packed = tar_gz({{"about", "text"}}, moment);
  ASSERT_TRUE(packed);
  const test::TemporaryFolder folder;
  const std::string archive = folder.with("a.tar.gz", *packed);
  const auto tar =
      test::run({.words = {"tar", "--numeric-owner", "-tvzf", archive}, .env = {{"TZ", "UTC"}}});
  EXPECT_THAT(tar.out, HasSubstr("-rw------- 0/0"));
  EXPECT_THAT(tar.out, HasSubstr("2023-11-14 22:13 about"));
}

TEST(Archive, ANameThatDoesNotFitIsAnError) {
  EXPECT_FALSE(tar_gz({{std::string(101, 'n'), ""}}, moment));
  EXPECT_TRUE(tar_gz({{std::string(100, 'n'), ""}}, moment));
}

}  // namespace
}  // namespace radosload::record
