// What a person asks for when fio's readers are to be fed: --format fio-json and --fio-logs. What
// those readers make of it: tests/interop/test_fio.py.

#include <filesystem>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string clat_log = "randrw-iodepth-64-numjobs-1_clat.1.log";

class FioCli : public testing::Test {
 protected:
  Finished run(std::vector<std::string> words) {
    const std::vector<std::string> always = {"--target", "sim",  "--sim",        "latency=exp:1ms",
                                             "--seed",   "7",    "--time",       "3",
                                             "--save",   "none", "--no-progress"};
    words.insert(words.begin(), always.begin(), always.end());
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_folder.path().string()}});
  }
  std::string logs() const { return (m_folder.path() / "of" / "this").string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(logs())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryFolder m_folder;
};

TEST_F(FioCli, FioJson_IsAFormatOfRun) {
  const Finished done = run({"--pattern", "randrw4k", "--format", "fio-json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json job = json::parse(done.out)["jobs"][0];
  EXPECT_EQ(job["jobname"], "randrw4k");
  EXPECT_GT(job["read"]["total_ios"], 0);
  EXPECT_THAT(run({"-h"}).out, HasSubstr("fio-json"));
}

TEST_F(FioCli, Logs_AreWrittenToANewFolder) {
  const Finished done = run({"--pattern", "randrw4k", "--fio-logs", logs()});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("IOPS"));
  const std::string run = "randrw-iodepth-64-numjobs-1_";
  EXPECT_THAT(names(), ElementsAre(run + "bw.1.log", run + "clat.1.log", run + "iops.1.log",
                                   run + "lat.1.log", run + "slat.1.log"));
}

TEST_F(FioCli, ExistingLogs_AreRefusedBeforeTheRun) {
  ASSERT_EQ(run({"--pattern", "randrw4k", "--fio-logs", logs()}).status, 0);
  const auto first = std::filesystem::path(logs()) / clat_log;
  const std::string before = read_file(first);
  const Finished again = run({"--pattern", "randrw4k", "--fio-logs", logs()});
  EXPECT_EQ(again.status, refused);
  EXPECT_EQ(again.out, "") << "nothing was measured";
  EXPECT_THAT(again.err, HasSubstr("the file exists"));
  EXPECT_EQ(read_file(first), before);
  EXPECT_EQ(run({"--pattern", "randrw4k", "--qd", "8", "--fio-logs", logs()}).status, 0)
      << "runs of other names share a folder";
}

TEST_F(FioCli, FolderThatCannotBeCreated_IsRefusedBeforeTheRun) {
  const std::string file = m_folder.with("file", "");
  const Finished done = run({"--pattern", "randrw4k", "--fio-logs", file + "/below"});
  EXPECT_EQ(done.status, refused);
  EXPECT_EQ(done.out, "");
  EXPECT_THAT(done.err, HasSubstr("file/below"));
}

TEST_F(FioCli, DryRun_WritesNoLogs) {
  const Finished done = run({"--pattern", "randrw4k", "--fio-logs", logs(), "--dry-run"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_FALSE(std::filesystem::exists(logs()));
}

// Files may not grow beyond 1 KiB: what a full disk looks like to whoever writes.
TEST_F(FioCli, WhenTheDiskIsFullTheResultIsStillShown) {
  const std::string line = "ulimit -f 1; trap '' XFSZ; exec '" + radosload_path() +
                           "' --target sim --pattern randrw4k --qd 1 --time 60 --save none "
                           "--no-progress --fio-logs '" +
                           logs() + "'";
  const Finished done = test::run(
      {.words = {"bash", "-c", line}, .env = {{"XDG_STATE_HOME", m_folder.path().string()}}});
  EXPECT_EQ(done.status, 1) << "the logs are not what was asked for";
  EXPECT_THAT(done.out, HasSubstr("IOPS"));
  EXPECT_THAT(done.err, HasSubstr("_lat.1.log"));
  EXPECT_THAT(done.err, HasSubstr("EFBIG"));
  EXPECT_THAT(names(), ElementsAre()) << "nothing half-written remains";
}

}  // namespace
}  // namespace radosload::test
