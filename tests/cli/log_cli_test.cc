// -v, --log-level and --log-file of the real program.

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
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

constexpr const char* secret = "AQBSdR5nAAAAABAAHKZ7y3tTGzqSVdsUHD/9Cw==";

class LogCli : public testing::Test {
 protected:
  Finished run(Words words, Sink err = Sink::pipe) const {
    words.insert(words.begin(), radosload_path());
    return test::run({.words = std::move(words),
                      .env = env_without_cluster(m_state.path(), std::string("--key ") + secret),
                      .err = err});
  }
  // A simulated run with these words more.
  Finished simulated(const Words& more, Sink err = Sink::pipe) const {
    Words words = {"--target", "sim", "--pattern", "randread4k", "--time", "1", "--no-progress"};
    words.insert(words.end(), more.begin(), more.end());
    return run(std::move(words), err);
  }
  std::string file() const { return (m_state.path() / "radosload.log").string(); }

  TemporaryFolder m_state;
};

TEST_F(LogCli, WithoutLogOptions_NoLogIsWritten) {
  const Finished done = simulated({});
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.err, "");
}

TEST_F(LogCli, WithV_StderrHasBeginningPhasesAndEndWithTimeAndLevel) {
  const Finished done = simulated({"-v"});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.err, ContainsRegex("^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}[.][0-9]{3}Z [0-9]+ "
                                      "info +radosload [^ ]+ starts: run --target sim"));
  EXPECT_THAT(done.err, HasSubstr("phase"));
  EXPECT_THAT(done.err, HasSubstr("ends with exit status 0"));
  EXPECT_THAT(done.out, Not(HasSubstr("starts: run")));
}

TEST_F(LogCli, V_IsAcceptedBeforeTheCommand) {
  const Finished done = run({"-v", "list"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("starts: list -v"));
}

TEST_F(LogCli, OnATerminal_NothingIsDrawnOverTheLog) {
  const Finished done =
      run({"--target", "sim", "--pattern", "randread4k", "--time", "3", "-v"}, Sink::terminal);
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.err, HasSubstr("ends with exit status 0"));
  EXPECT_THAT(done.err, Not(HasSubstr("\x1b[")));
}

TEST_F(LogCli, LevelWithoutFile_LogsToStderrFromThatLevelOn) {
  const Finished warnings = run({"report", "no-such-run", "--log-level", "warning"});
  EXPECT_EQ(warnings.status, usage);
  EXPECT_THAT(warnings.err, Not(HasSubstr(" info ")));
  EXPECT_THAT(run({"list", "--log-level", "info"}).err, HasSubstr(" info "));
  const Finished unknown = run({"list", "--log-level", "loud"});
  EXPECT_EQ(unknown.status, usage);
  EXPECT_THAT(unknown.err, HasSubstr("debug|info|warning|error"));
}

TEST_F(LogCli, EveryCommand_AppendsToOneFileWithMode0600) {
  ASSERT_EQ(simulated({"--log-file", file()}).status, 0);
  EXPECT_EQ(fs::status(file()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const std::vector<std::pair<Words, int>> commands = {
      {{"list"}, 0},
      {{"report", "last"}, 0},
      {{"compare", "last", "last"}, 0},
      {{"patterns"}, 0},
      {{"help"}, 0},
      {{"status", "--cluster", "nosuch"}, no_cluster},
      {{"osds", "--cluster", "nosuch"}, no_cluster},
      {{"cleanup", "--pool", "hdd", "--cluster", "nosuch"}, no_cluster},
      {{"scratch", "list", "--cluster", "nosuch"}, no_cluster},
      {{"replicas", "--pool", "hdd", "--cluster", "nosuch"}, no_cluster}};
  for (const auto& [given, status] : commands) {
    Words words = given;
    words.insert(words.end(), {"--log-file", file()});
    EXPECT_EQ(run(words).status, status) << words.front();
    const std::string log = read_file(file());
    EXPECT_THAT(log, HasSubstr("starts: " + words.front()));
    EXPECT_TRUE(log.ends_with("\n"));
    const std::string last = log.substr(log.rfind('\n', log.size() - 2) + 1);
    EXPECT_THAT(last, HasSubstr("exit status " + std::to_string(status))) << words.front();
  }
  EXPECT_THAT(read_file(file()), HasSubstr("starts: run --target sim"));
}

TEST_F(LogCli, Log_HasErrorsAndNoKeys) {
  const Finished done = run({"status", "--cluster", "nosuch", "-k", secret, "--log-level", "debug",
                             "--log-file", file()});
  EXPECT_EQ(done.status, no_cluster);
  const std::string log = read_file(file());
  EXPECT_THAT(log, ContainsRegex("error +cannot find a Ceph config"));
  EXPECT_THAT(log, HasSubstr("[removed]"));
  EXPECT_THAT(log, Not(HasSubstr(secret)));
}

TEST_F(LogCli, AFileThatCannotBeWritten_IsRefusedBeforeTheRun) {
  fs::create_symlink("/dev/null", m_state.path() / "link");
  for (const std::string& path : {nowhere("log"), m_state.path().string(),
                                  (m_state.path() / "link").string(), std::string("/dev/full")}) {
    const Finished done = simulated({"--log-file", path});
    EXPECT_EQ(done.status, refused) << path;
    EXPECT_THAT(done.err, HasSubstr(path));
    EXPECT_THAT(done.err, HasSubstr("--log-file"));
    EXPECT_EQ(done.out, "");
  }
}

TEST_F(LogCli, ADeadStderr_DoesNotEndTheRunAndTheFileIsWhole) {
  for (const Sink dead : {Sink::nobody, Sink::full, Sink::closed}) {
    EXPECT_EQ(simulated({"-v", "--log-file", file()}, dead).status, 0);
    EXPECT_THAT(read_file(file()), HasSubstr("ends with exit status 0"));
    fs::remove(file());
  }
}

TEST_F(LogCli, Record_NamesItsLogFile) {
  ASSERT_EQ(simulated({"--log-file", file()}).status, 0);
  const Finished shown = run({"report", "last", "--format", "json"});
  EXPECT_EQ(json::parse(shown.out)["environment"]["client"]["log"], file());
}

}  // namespace
}  // namespace radosload::test
