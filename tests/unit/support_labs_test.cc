// How the programs of the cluster tests share the labs of a build folder.
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/files.h"
#include "support/labs.h"

namespace radosload::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Labs : public testing::Test {
 protected:
  void add(const std::string& name, const std::string& phase) {
    std::filesystem::create_directory(folder(name));
    write_file(folder(name) / "state.json", R"({"phase": ")" + phase + R"("})");
  }
  std::filesystem::path folder(const std::string& name) const { return m_build.path() / name; }
  const std::filesystem::path& build() const { return m_build.path(); }

 private:
  TemporaryFolder m_build;
};

TEST_F(Labs, ThoseThatAreUpAreFoundInOrder) {
  add("lab-2", "up");
  add("lab-1", "up");
  add("lab-3", "starting");
  add("other", "up");
  std::filesystem::create_directory(folder("lab-4"));
  write_file(folder("lab-1.lock"), "");
  EXPECT_THAT(labs_in(build()), ElementsAre(folder("lab-1"), folder("lab-2")));
}

TEST_F(Labs, EachClaimGetsAnotherUntilAllAreTaken) {
  const std::vector labs = {folder("lab-1"), folder("lab-2")};
  const auto first = try_claim(labs);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->folder, folder("lab-1"));
  const auto second = try_claim(labs);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->folder, folder("lab-2"));
  EXPECT_FALSE(try_claim(labs));
}

TEST_F(Labs, ThoseThatShareALab_KeepOutOneThatDoesNot) {
  const std::vector labs = {folder("lab-1")};
  {
    const auto first = try_claim(labs, LabUse::shared);
    EXPECT_TRUE(try_claim(labs, LabUse::shared));
    EXPECT_FALSE(try_claim(labs, LabUse::alone));
  }
  const auto alone = try_claim(labs, LabUse::alone);
  ASSERT_TRUE(alone);
  EXPECT_FALSE(try_claim(labs, LabUse::shared));
}

TEST_F(Labs, AClaimEndsWithItsHolder) {
  const std::vector labs = {folder("lab-1")};
  { const auto held = try_claim(labs); }
  EXPECT_TRUE(try_claim(labs));
}

TEST_F(Labs, AnExecutedChildDoesNotHoldTheClaimOfItsParent) {
  const std::vector labs = {folder("lab-1")};
  pid_t child = -1;
  {
    const auto held = try_claim(labs);
    ASSERT_TRUE(held);
    child = ::fork();
    if (child == 0) {
      ::execlp("sleep", "sleep", "60", nullptr);
      ::_exit(1);
    }
    // Until it has become `sleep`, it has the descriptor.
    const std::filesystem::path program = "/proc/" + std::to_string(child) + "/exe";
    while (std::filesystem::read_symlink(program) ==
           std::filesystem::read_symlink("/proc/self/exe"))
      ::usleep(1000);
  }
  EXPECT_TRUE(try_claim(labs));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_F(Labs, WithoutAFolderAClaimIsAnErrorThatNamesTheFile) {
  EXPECT_THROW(
      {
        try {
          try_claim({folder("nowhere/lab-1")});
        } catch (const std::runtime_error& error) {
          EXPECT_THAT(error.what(), testing::HasSubstr("nowhere/lab-1.lock"));
          throw;
        }
      },
      std::runtime_error);
}

TEST(LabFromCtest, PartOfALab_IsShared) {
  const AllocatedLab lab = lab_from_ctest("1", "id:2,slots:1");
  EXPECT_EQ(lab.number, "2");
  EXPECT_EQ(lab.use, LabUse::shared);
}

TEST(LabFromCtest, WholeLab_IsUsedAlone) {
  const AllocatedLab lab = lab_from_ctest("1", "id:3,slots:4");
  EXPECT_EQ(lab.number, "3");
  EXPECT_EQ(lab.use, LabUse::alone);
}

TEST(LabFromCtest, NoResources_NoLabAndUsedAlone) {
  const AllocatedLab lab = lab_from_ctest(nullptr, nullptr);
  EXPECT_THAT(lab.number, IsEmpty());
  EXPECT_EQ(lab.use, LabUse::alone);
}

TEST(LabFromCtest, InvalidAllocation_IsRefused) {
  for (const char* const allocated : {"slots:1", "id:,slots:1", "id:2", "id:2,slots:2"}) {
    EXPECT_THROW(lab_from_ctest("1", allocated), std::runtime_error) << allocated;
  }
  EXPECT_THROW(lab_from_ctest("1", nullptr), std::runtime_error);
}

}  // namespace
}  // namespace radosload::test
