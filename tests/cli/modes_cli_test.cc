// Who may read what a run writes on this machine: records name pools, keyrings and monitors, so
// every file is for its owner alone, whatever the umask allows.

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/process.h"
#include "support/wait_for.h"

#include <fmt/format.h>

namespace radosload::test {
namespace {

namespace fs = std::filesystem;

class ModesCli : public testing::Test {
 protected:
  // With a umask that takes no right away.
  Launch open_to_all(const std::string& words) const {
    return {.words = {"sh", "-c", fmt::format("umask 000; exec {} {}", radosload_path(), words)},
            .env = {{"XDG_STATE_HOME", m_folder.path().string()}}};
  }
  std::string in(const std::string& name) const { return (m_folder.path() / name).string(); }
  // Name and mode of all files below the folder that others have any right to.
  std::set<std::string> shared_files() const {
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(m_folder.path())) {
      const auto others =
          entry.status().permissions() & (fs::perms::group_all | fs::perms::others_all);
      if (entry.is_regular_file() && others != fs::perms::none) found.insert(entry.path().string());
    }
    return found;
  }
  std::size_t files_ending_in(const std::string& ending) const {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(m_folder.path())) {
      count += static_cast<std::size_t>(entry.path().string().ends_with(ending));
    }
    return count;
  }
  fs::path store() const { return m_folder.path() / "radosload" / "runs"; }

  TemporaryFolder m_folder;
};

TEST_F(ModesCli, JournalOfALiveRun_HasMode0600) {
  Process running(open_to_all("--target null --pattern randread4k,qd=1 --rate 100 --time 60"));
  const auto begun =
      running.wait_for("a journal", [this] { return files_ending_in(".jsonl") > 0; });
  const auto open_files = shared_files();
  const auto folder = fs::status(store()).permissions();
  running.signal(SIGINT);
  running.wait();
  ASSERT_TRUE(begun);
  EXPECT_EQ(open_files, std::set<std::string>());
  EXPECT_EQ(folder, fs::perms::owner_all);
}

TEST_F(ModesCli, RecordTraceSavedFileAndSeries_HaveMode0600) {
  const std::string sim = "--target sim --pattern randread4k --time 2 --no-progress ";
  const Finished one = run(
      open_to_all(fmt::format("{} --trace {} --save {}", sim, in("run.npy"), in("saved.json"))));
  ASSERT_EQ(one.status, 0) << one.err;
  ASSERT_EQ(run(open_to_all(sim)).status, 0);
  ASSERT_EQ(run(open_to_all(sim + "--qd 1:2")).status, 0);
  EXPECT_TRUE(fs::exists(in("run.npy")));
  EXPECT_TRUE(fs::exists(in("saved.json")));
  // The run, the series and its two steps.
  EXPECT_GE(files_ending_in(".json"), 3U);
  EXPECT_EQ(shared_files(), std::set<std::string>());
}

}  // namespace
}  // namespace radosload::test
