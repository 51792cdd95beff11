// --drive, through the whole program: on files, on files that it must not touch, and, where the
// tests may make loop devices, on devices.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/disk_folder.h"
#include "support/exit_status.h"
#include "support/files.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

class DriveCli : public testing::Test {
 protected:
  std::map<std::string, std::string> env() const {
    return {{"XDG_STATE_HOME", m_state.path().string()}};
  }
  Finished drive(const std::string& path, Words words,
                 std::map<std::string, std::string> more = {}) {
    words.insert(words.begin(), {"--drive", path, "--no-progress", "--seed", "7"});
    if (std::find(words.begin(), words.end(), "--warmup") == words.end()) {
      words.insert(words.end(), {"--warmup", "0"});
    }
    more.merge(env());
    return radosload(std::move(words), std::move(more));
  }
  json record_of(const std::string& path, Words words,
                 std::map<std::string, std::string> more = {}) {
    words.insert(words.end(), {"--format", "json", "--save", "none"});
    const Finished done = drive(path, std::move(words), std::move(more));
    EXPECT_EQ(done.status, 0) << done.err;
    return done.status == 0 ? json::parse(done.out) : json::object();
  }

  TemporaryFolder m_state;
  DiskFolder m_folder;
  std::string m_path = m_folder.file("drive.img");
};

TEST_F(DriveCli, NewFile_IsFilledMeasuredVerifiedAndGone) {
  const std::string trace = m_folder.file("trace.npy");
  const json record = record_of(m_path, {"--create", "8M", "--pattern", "randrw4k", "--qd", "8",
                                         "--ops", "2000", "--time", "0", "--trace", trace});
  EXPECT_EQ(record["totals"]["all"]["ops"], 2000);
  EXPECT_EQ(record["totals"]["all"]["errors"], json::object());
  EXPECT_EQ(record["plan"]["target"], "block");
  EXPECT_EQ(record["plan"]["size"], "8M") << "without --size all of it";
  EXPECT_GT(record["verification"]["writes_read_back"], 0) << "reads return what was written";
  EXPECT_EQ(record["environment"]["drive"]["path"], m_path);
  EXPECT_EQ(record["environment"]["drive"]["device"], false);
  EXPECT_EQ(record["environment"]["drive"]["size"], 8 << 20);
  EXPECT_EQ(record["events"][0]["text"], "prefill");
  EXPECT_FALSE(fs::exists(m_path));
  const Finished rows = radosload({"trace", trace, "--json"}, env());
  EXPECT_EQ(rows.status, 0) << rows.err;
  EXPECT_THAT(rows.out, HasSubstr("2000"));
}

TEST_F(DriveCli, Report_NamesTheFileAndTheWayToIt) {
  const Finished done =
      drive(m_path, {"--create", "1M", "--pattern", "read4k", "--ops", "100", "--time", "0"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("file " + m_path + " (1 MiB), through "));
}

TEST_F(DriveCli, DryRun_ShowsWhatWouldBeWrittenAndWritesNothing) {
  const Finished fresh = drive(m_path, {"--create", "8M", "--pattern", "randread4k", "--dry-run"});
  EXPECT_EQ(fresh.status, 0) << fresh.err;
  EXPECT_THAT(fresh.out, HasSubstr("all 8 MiB of the file"));
  EXPECT_FALSE(fs::exists(m_path));
  write_file(m_path, std::string(1 << 20U, 'x'));
  const Finished existing = drive(m_path, {"--pattern", "randwrite4k", "--dry-run"});
  EXPECT_EQ(existing.status, refused);
  EXPECT_THAT(existing.out, HasSubstr("refused: radosload did not make this file"));
}

TEST_F(DriveCli, ForeignFile_IsReadButNeverWritten) {
  const std::string content(1 << 20U, 'x');
  write_file(m_path, content);
  const Words few = {"--ops", "100", "--time", "0", "--pattern"};
  for (const Words& words : {Words{"randwrite4k"}, Words{"randrw4k"}, Words{"sync-write4k"},
                             Words{"randread4k", "--create", "1M"}}) {
    Words all = few;
    all.insert(all.end(), words.begin(), words.end());
    const Finished done = drive(m_path, all);
    EXPECT_EQ(done.status, refused) << done.err;
  }
  Words reads = few;
  reads.emplace_back("randread4k");
  const json record = record_of(m_path, reads);
  EXPECT_EQ(record["totals"]["read"]["ops"], 100);
  EXPECT_THAT(record["warnings"].dump(), HasSubstr("reads are not verified"));
  EXPECT_TRUE(record["verification"].is_null());
  EXPECT_EQ(read_file(m_path), content);
}

TEST_F(DriveCli, ReadOnlyFile_IsRead) {
  write_file(m_path, std::string(1 << 20U, 'x'));
  fs::permissions(m_path, fs::perms::owner_read);
  EXPECT_EQ(record_of(m_path, {"--pattern", "read4k", "--ops", "50", "--time",
                               "0"})["totals"]["read"]["ops"],
            50);
}

TEST_F(DriveCli, KeptFile_IsUsedAgain) {
  const Words few = {"--pattern", "randwrite4k", "--ops", "100", "--time", "0"};
  Words keep = few;
  keep.insert(keep.end(), {"--create", "1M", "--keep"});
  record_of(m_path, keep);
  ASSERT_TRUE(fs::exists(m_path));
  EXPECT_EQ(fs::file_size(m_path), 1U << 20U);
  record_of(m_path, few);
  EXPECT_TRUE(fs::exists(m_path)) << "only a run that makes a file removes it";
  EXPECT_EQ(record_of(m_path, {"--pattern", "randread4k", "--ops", "50", "--time",
                               "0"})["totals"]["read"]["ops"],
            50);
}

TEST_F(DriveCli, UnwrittenFile_IsNotRead) {
  write_file(m_path, "");
  fs::resize_file(m_path, 1 << 20U);
  const Finished done = drive(m_path, {"--pattern", "randread4k", "--time", "1"});
  EXPECT_EQ(done.status, refused);
  EXPECT_THAT(done.err, HasSubstr("was never written"));
}

TEST_F(DriveCli, OddLengthsMissingFilesAndFullDisks_AreRefused) {
  const Finished odd = drive(m_path, {"--create", "4M", "--pattern", "etcd-wal", "--time", "1"});
  EXPECT_EQ(odd.status, usage);
  EXPECT_THAT(odd.err, HasSubstr("give a multiple of"));
  EXPECT_FALSE(fs::exists(m_path));
  const Finished none = drive(m_folder.file("nosuch"), {"--pattern", "read4k", "--time", "1"});
  EXPECT_EQ(none.status, no_cluster);
  EXPECT_THAT(none.err, HasSubstr("--create SIZE"));
  const Finished large = drive(m_path, {"--create", "900P", "--pattern", "read4k", "--time", "1"});
  EXPECT_EQ(large.status, refused);
  EXPECT_THAT(large.err, HasSubstr("are free"));
  const Finished device = drive("/dev/null", {"--pattern", "read4k", "--time", "1"});
  EXPECT_EQ(device.status, usage);
  EXPECT_THAT(device.err, HasSubstr("neither a block device nor a file"));
}

TEST_F(DriveCli, WithoutRings_ThreadsDoTheSameAndTheRecordSaysSo) {
  const json record = record_of(m_path,
                                {"--create", "1M", "--pattern", "randrw4k", "--qd", "4", "--ops",
                                 "500", "--time", "0", "--clients", "2"},
                                preloaded("no_ring"));
  EXPECT_EQ(record["totals"]["all"]["ops"], 500);
  EXPECT_EQ(record["environment"]["drive"]["io"], "threads");
  EXPECT_THAT(record["environment"]["drive"]["no_ring"].dump(), HasSubstr("EPERM"));
  EXPECT_THAT(record["warnings"].dump(), HasSubstr("may not use io_uring"));
  const Finished deep = drive(m_path, {"--create", "1M", "--pattern", "read4k", "--qd", "1000"},
                              preloaded("no_ring"));
  EXPECT_EQ(deep.status, usage);
  EXPECT_THAT(deep.err, HasSubstr("--qd 512 or less"));
}

TEST_F(DriveCli, OpenLoopAndSeveralClients_KeepTheRate) {
  // The warm-up, because clients that the system starts late begin to send late.
  const json record = record_of(m_path, {"--create", "8M", "--pattern", "randread4k", "--clients",
                                         "2", "--rate", "400", "--time", "1", "--warmup", "1"});
  // Whether the operation due at the very end counts depends on the nanosecond.
  const int due =
      record["totals"]["read"]["ops"].get<int>() + record["counts"]["unissued"].get<int>();
  EXPECT_NEAR(due, 400, 2);
}

TEST_F(DriveCli, Sweep_HasARowForEachStep) {
  const Finished done = drive(m_path, {"--create", "1M", "--pattern", "sync-write4k", "--qd",
                                       "1:2:4", "--ops", "50", "--time", "0"});
  EXPECT_EQ(done.status, 0) << done.err;
  for (const char* const depth : {"1", "2", "4"}) {
    EXPECT_THAT(done.out, HasSubstr(std::string("\n   ") + depth + " ")) << "its row";
  }
  EXPECT_FALSE(fs::exists(m_path));
}

TEST_F(DriveCli, Sweep_FillsOneFileForAllStepsAndVerifiesEach) {
  for (const bool keep : {false, true}) {
    Words words = {"--create", "2M",  "--pattern", "randrw4k", "--qd",     "1:4",
                   "--ops",    "800", "--time",    "0",        "--format", "json"};
    if (keep) words.emplace_back("--keep");
    const Finished done = drive(m_path, words);
    ASSERT_EQ(done.status, 0) << done.err;
    const json series = json::parse(done.out);
    ASSERT_EQ(series["steps_done"], 2);
    const json& first = series["steps"][0]["record"];
    const json& second = series["steps"][1]["record"];
    EXPECT_THAT(first["events"].dump(), HasSubstr("prefill"));
    EXPECT_THAT(second["events"].dump(), Not(HasSubstr("prefill")));
    EXPECT_GT(second["verification"]["writes_read_back"], 0);
    EXPECT_EQ(second["totals"]["all"]["errors"], json::object()) << "the first step's writes";
    EXPECT_EQ(fs::exists(m_path), keep);
  }
}

TEST_F(DriveCli, OtherObjectSize_GetsAFileOfItsOwn) {
  const Finished done =
      drive(m_path, {"--create", "2M", "--pattern", "randrw4k", "--object-size", "1M:512k", "--ops",
                     "400", "--time", "0", "--format", "json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json series = json::parse(done.out);
  EXPECT_THAT(series["steps"][1]["record"]["events"].dump(), HasSubstr("prefill"));
  EXPECT_EQ(series["steps"][1]["record"]["totals"]["all"]["errors"], json::object());
}

TEST_F(DriveCli, DriveProfile_SaysWhatTheDriveIsWorth) {
  const std::string saved = m_folder.file("profile.json");
  const Words profile = {"--create", "8M", "--drive-profile", "--time", "300ms", "--save", saved};
  const Finished done = drive(m_path, profile);
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("What the drive is worth:"));
  EXPECT_THAT(done.out, HasSubstr("osd_mclock_max_capacity_iops_hdd"));
  const json series = json::parse(read_file(saved));
  const json worth = series["drive_profile"];
  const auto step_iops = [&](std::size_t step) {
    return series["steps"][step]["record"]["totals"]["all"]["iops"].get<double>();
  };
  constexpr std::size_t reads = 3;
  constexpr std::size_t writes = 5;
  constexpr std::size_t durable = 7;
  EXPECT_DOUBLE_EQ(worth["read_iops"], step_iops(reads));
  EXPECT_DOUBLE_EQ(worth["mclock_iops"], std::min(step_iops(reads), step_iops(writes)));
  EXPECT_DOUBLE_EQ(worth["durable_iops"], step_iops(durable));
  EXPECT_EQ(worth["mclock_options"].size(), 2U) << "a file tells nothing of its medium";
  EXPECT_EQ(series["steps"][durable]["plan"]["dsync"], true);
}

TEST_F(DriveCli, CtrlC_EndsTheRunAndRemovesTheFile) {
  const std::string saved = m_folder.file("run.json");
  Process process(
      {.words = {radosload_path(), "--drive", m_path, "--create", "1M", "--keep", "--pattern",
                 "randrw4k", "--time", "10h", "--warmup", "0", "--save", saved},
       .env = env()});
  ASSERT_TRUE(process.wait_for_output("sec Cur ops"));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  const json record = json::parse(read_file(saved));
  EXPECT_EQ(record["ended_by"], "SIGINT");
  EXPECT_EQ(record["counts"]["unfinished"], 0);
  EXPECT_TRUE(fs::exists(m_path)) << "it was kept";
}

TEST_F(DriveCli, KilledRun_LeavesNoFile) {
  Process process({.words = {radosload_path(), "--drive", m_path, "--create", "1M", "--pattern",
                             "randrw4k", "--time", "10h", "--warmup", "0"},
                   .env = env()});
  ASSERT_TRUE(process.wait_for_output("sec Cur ops"));
  EXPECT_FALSE(fs::exists(m_path)) << "it has no name while it is measured";
  process.signal(SIGKILL);
  process.wait();
  EXPECT_FALSE(fs::exists(m_path));
}

// ---- devices ----

// A loop device over a file of 64 MiB; detached with the object.
class LoopDevice {
 public:
  explicit LoopDevice(std::string file) : m_file(std::move(file)) {
    write_file(m_file, "");
    fs::resize_file(m_file, 64 << 20U);
    const Finished made = test::run({.words = {"losetup", "--find", "--show", m_file}});
    if (made.status == 0) m_name = made.out.substr(0, made.out.find('\n'));
  }
  ~LoopDevice() {
    if (!m_name.empty()) test::run({.words = {"losetup", "--detach", m_name}});
  }
  LoopDevice(const LoopDevice&) = delete;
  LoopDevice& operator=(const LoopDevice&) = delete;
  LoopDevice(LoopDevice&&) = delete;
  LoopDevice& operator=(LoopDevice&&) = delete;

  const std::string& name() const { return m_name; }  // empty: there are none here
  const std::string& serial() const { return m_file; }

 private:
  std::string m_file;
  std::string m_name;
};

class DriveCliDevice : public DriveCli {
 protected:
  void SetUp() override {
    if (m_loop.name().empty()) GTEST_SKIP() << "no loop devices for this user";
  }
  Finished make_file_system() const {
    return test::run({.words = {"mkfs.ext4", "-q", "-F", m_loop.name()}});
  }
  std::string first_bytes() const { return read_file(m_loop.serial()).substr(0, 1 << 20U); }

  LoopDevice m_loop{m_folder.file("loop.img")};
};

TEST_F(DriveCliDevice, IsWrittenWithItsSerialOnly) {
  const Words writes = {"--pattern", "randwrite4k", "--ops", "200", "--time", "0"};
  const std::string before = first_bytes();
  for (const char* const given : {"", "--destroy-data=other"}) {
    Words words = writes;
    if (*given != '\0') words.emplace_back(given);
    const Finished done = drive(m_loop.name(), words);
    EXPECT_EQ(done.status, refused);
    EXPECT_THAT(done.err, HasSubstr(m_loop.serial()));
  }
  EXPECT_EQ(first_bytes(), before);
  Words permitted = writes;
  permitted.push_back("--destroy-data=" + m_loop.serial());
  const json record = record_of(m_loop.name(), permitted);
  EXPECT_EQ(record["totals"]["write"]["ops"], 200);
  EXPECT_EQ(record["totals"]["all"]["errors"], json::object());
  EXPECT_EQ(record["environment"]["drive"]["device"], true);
  EXPECT_EQ(record["environment"]["drive"]["serial"], m_loop.serial());
  EXPECT_EQ(record["plan"]["destroy-data"], m_loop.serial());
  EXPECT_NE(first_bytes(), before);
}

TEST_F(DriveCliDevice, StepsOfASeries_AreNotBusyForEachOther) {
  const Finished done =
      drive(m_loop.name(), {"--drive-profile", "--time", "50ms", "--size", "8M",
                            "--destroy-data=" + m_loop.serial(), "--format", "json"});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(json::parse(done.out)["drive_profile"]["mclock_options"].size(), 1U)
      << "the kernel knows what a device is";
}

TEST_F(DriveCliDevice, FileSystem_IsNamedAndSurvives) {
  if (make_file_system().status != 0) GTEST_SKIP() << "mkfs.ext4 is missing";
  const std::string before = first_bytes();
  const Finished done = drive(m_loop.name(), {"--pattern", "randwrite4k", "--time", "1"});
  EXPECT_EQ(done.status, refused);
  EXPECT_THAT(done.err, HasSubstr("it has data: ext4"));
  const Finished dry = drive(m_loop.name(), {"--pattern", "randwrite4k", "--dry-run"});
  EXPECT_EQ(dry.status, refused);
  EXPECT_THAT(dry.out, HasSubstr("ext4"));
  EXPECT_EQ(first_bytes(), before);
}

TEST_F(DriveCliDevice, Mounted_IsRefusedEvenWithItsSerialButRead) {
  if (make_file_system().status != 0) GTEST_SKIP() << "mkfs.ext4 is missing";
  const std::string place = m_folder.file("mounted");
  fs::create_directory(place);
  if (test::run({.words = {"mount", m_loop.name(), place}}).status != 0) {
    GTEST_SKIP() << "no mounts for this user";
  }
  const Finished done = drive(m_loop.name(), {"--pattern", "randwrite4k", "--time", "1",
                                              "--destroy-data=" + m_loop.serial()});
  const json record =
      record_of(m_loop.name(), {"--pattern", "randread4k", "--ops", "100", "--time", "0"});
  EXPECT_EQ(test::run({.words = {"umount", place}}).status, 0);
  EXPECT_EQ(done.status, refused);
  EXPECT_THAT(done.err, HasSubstr("it is in use: mounted on " + place));
  EXPECT_EQ(record["totals"]["read"]["ops"], 100);
  EXPECT_EQ(record["grade"]["value"], "contaminated");
  EXPECT_THAT(record["grade"]["reasons"].dump(), HasSubstr("mounted on " + place));
}

TEST_F(DriveCliDevice, OpenExclusively_IsRefused) {
  const int open = ::open(m_loop.name().c_str(), O_RDWR | O_EXCL | O_CLOEXEC);
  ASSERT_GE(open, 0);
  const Finished done = drive(m_loop.name(), {"--pattern", "randwrite4k", "--time", "1",
                                              "--destroy-data=" + m_loop.serial()});
  ::close(open);
  EXPECT_EQ(done.status, refused);
  EXPECT_THAT(done.err, HasSubstr("another program has it open for itself"));
}

}  // namespace
}  // namespace radosload::test
