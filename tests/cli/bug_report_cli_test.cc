// `radosload bug-report` of the real program; what it packs is read with tar.

#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/nowhere.h"
#include "support/exit_status.h"
#include "support/files.h"
#include "support/places.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

constexpr const char* secret = "AQBSdR5nAAAAABAAHKZ7y3tTGzqSVdsUHD/9Cw==";

class BugReport : public testing::Test {
 protected:
  Launch launch(Words words) const {
    words.insert(words.begin(), radosload_path());
    return {.words = std::move(words),
            .env = env_without_cluster(m_state.path(), std::string("--key ") + secret),
            .directory = m_folder.path().string()};
  }
  Finished run(Words words) const { return test::run(launch(std::move(words))); }
  // The id of a simulated run with these words more.
  std::string measured(const Words& more = {}) const {
    Words words = {"--target", "sim",      "--pattern", "randread4k",   "--time",
                   "1",        "--format", "json",      "--no-progress"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished done = run(std::move(words));
    EXPECT_EQ(done.status, 0) << done.err;
    return json::parse(done.out)["run_id"];
  }
  // Unpacks the archive; the folder that was in it.
  fs::path unpacked(const fs::path& archive, const std::string& run_id) const {
    const fs::path into = m_folder.path() / "unpacked";
    fs::remove_all(into);
    fs::create_directory(into);
    const Finished tar =
        test::run({.words = {"tar", "-xzf", archive.string(), "-C", into.string()}});
    EXPECT_EQ(tar.status, 0) << tar.err;
    return into / ("radosload-bug-" + run_id);
  }
  static std::string all_of(const fs::path& folder) {
    std::string text;
    for (const auto& entry : fs::directory_iterator(folder)) text += read_file(entry.path());
    return text;
  }
  fs::path here(const std::string& name) const { return m_folder.path() / name; }

  TemporaryFolder m_state;
  TemporaryFolder m_folder;
};

TEST_F(BugReport, PacksRecordJournalLogVersionsAndOptions) {
  const std::string id = measured({"--log-file", here("log").string()});
  const Finished done = run({"bug-report", "last"});
  ASSERT_EQ(done.status, 0) << done.err;
  const fs::path archive = here("radosload-bug-" + id + ".tar.gz");
  EXPECT_THAT(done.out, HasSubstr(archive.filename().string()));
  EXPECT_EQ(fs::status(archive).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const fs::path folder = unpacked(archive, id);
  EXPECT_EQ(json::parse(read_file(folder / "record.json"))["run_id"], id);
  EXPECT_THAT(read_file(folder / "journal.jsonl"), HasSubstr(id));
  EXPECT_THAT(read_file(folder / "log.txt"), AllOf(HasSubstr("starts: run"), HasSubstr(id)));
  EXPECT_THAT(read_file(folder / "options.txt"),
              AllOf(HasSubstr("\ntarget = sim\n"), HasSubstr("\nqd = 64\n")));
  EXPECT_THAT(read_file(folder / "versions.txt"),
              AllOf(HasSubstr("radosload "), HasSubstr("librados"), HasSubstr("kernel"),
                    HasSubstr("distribution")));
  EXPECT_THAT(read_file(folder / "about.txt"), Not(HasSubstr("Not here")));
  for (const auto& entry : fs::directory_iterator(folder)) {
    EXPECT_EQ(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write);
  }
}

TEST_F(BugReport, HoldsNoPlantedSecret) {
  const std::string log = here("log").string();
  const std::string id = measured({"--log-file", log});
  const fs::path runs = m_state.path() / "radosload" / "runs";
  json record = json::parse(read_file(runs / (id + ".json")));
  record["environment"]["client"]["settings"]["key"] = "hunter2";
  record["warnings"].push_back(std::string("key = ") + secret);
  write_file(runs / (id + ".json"), record.dump());
  write_file(runs / (id + ".jsonl"), read_file(runs / (id + ".jsonl")) +
                                         R"({"event":"note","text":"password=hunter2 )" + secret +
                                         "\"}\n");
  write_file(log, read_file(log) + "[client.admin]\n\tkey = " + secret +
                      "\n2026-11-24T12:00:00.000Z 1 info    passphrase=hunter2 of an image\n");
  ASSERT_EQ(run({"bug-report", id, "--output", "bug.tar.gz"}).status, 0);
  const fs::path folder = unpacked(here("bug.tar.gz"), id);
  EXPECT_THAT(all_of(folder), AllOf(Not(HasSubstr(secret)), Not(HasSubstr("hunter2"))));
  for (const char* const member : {"record.json", "journal.jsonl", "log.txt"}) {
    EXPECT_THAT(read_file(folder / member), HasSubstr("[removed]"));
  }
  EXPECT_THAT(read_file(folder / "log.txt"), Not(HasSubstr("client.admin")));
  EXPECT_EQ(json::parse(read_file(folder / "record.json"))["run_id"], id) << "still JSON";
}

TEST_F(BugReport, ExistingFile_IsNotOverwritten) {
  const std::string id = measured();
  write_file(here("bug.tar.gz"), "mine");
  const Finished done = run({"bug-report", id, "--output", "bug.tar.gz"});
  EXPECT_EQ(done.status, refused);
  EXPECT_THAT(done.err, HasSubstr("name another file with --output FILE"));
  EXPECT_EQ(read_file(here("bug.tar.gz")), "mine");
}

TEST_F(BugReport, KilledRun_IsPacked) {
  Process process(launch({"--target", "sim", "--sim", "threads=1,latency=const:5ms", "--pattern",
                          "randread4k", "--warmup", "0", "--time", "50"}));
  ASSERT_TRUE(process.wait_for_output("    2 "));
  process.signal(SIGKILL);
  process.wait();
  const Finished done = run({"bug-report", "last", "--output", "bug.tar.gz"});
  ASSERT_EQ(done.status, 0) << done.err;
  const Finished shown = run({"report", "last", "--format", "json"});
  const std::string id = json::parse(shown.out)["run_id"];
  const fs::path folder = unpacked(here("bug.tar.gz"), id);
  EXPECT_EQ(json::parse(read_file(folder / "record.json"))["status"], "incomplete");
  EXPECT_THAT(read_file(folder / "journal.jsonl"), HasSubstr(id));
}

TEST_F(BugReport, UnreadableJournal_IsPackedWithoutARecord) {
  measured();
  const std::string id = "20261124-101500-abcd";
  write_file(m_state.path() / "radosload" / "runs" / (id + ".jsonl"), "{\"torn\n");
  const Finished done = run({"bug-report", id, "--output", "bug.tar.gz"});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("not in it: record.json"));
  const fs::path folder = unpacked(here("bug.tar.gz"), id);
  EXPECT_EQ(read_file(folder / "journal.jsonl"), "{\"torn\n");
  EXPECT_THAT(read_file(folder / "about.txt"), HasSubstr("Not here: options.txt"));
}

TEST_F(BugReport, PathOfARecord_IsAccepted) {
  const std::string id = measured({"--save", "here.json"});
  ASSERT_EQ(run({"bug-report", "./here.json", "--output", "bug.tar.gz"}).status, 0);
  const fs::path folder = unpacked(here("bug.tar.gz"), id);
  EXPECT_EQ(json::parse(read_file(folder / "record.json"))["run_id"], id);
}

// The record names its log, and may come from anybody.
TEST_F(BugReport, FileThatIsNotALog_IsNotPacked) {
  write_file(here("diary"), "dear diary\n");
  const std::string id = measured({"--save", "here.json"});
  json record = json::parse(read_file(here("here.json")));
  record["environment"]["client"]["log"] = here("diary").string();
  write_file(here("forged.json"), record.dump());
  ASSERT_EQ(run({"bug-report", "./forged.json", "--output", "bug.tar.gz"}).status, 0);
  EXPECT_THAT(all_of(unpacked(here("bug.tar.gz"), id)), Not(HasSubstr("dear diary")));
}

TEST_F(BugReport, UnknownRun_IsAUsageError) {
  measured();
  const Finished done = run({"bug-report", "1999"});
  EXPECT_EQ(done.status, usage);
  EXPECT_THAT(done.err, HasSubstr("1999"));
  EXPECT_EQ(run({"bug-report"}).status, usage);
  EXPECT_EQ(run({"bug-report", nowhere("run.json")}).status, usage);
}

}  // namespace
}  // namespace radosload::test
