#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "base/log.h"
#include "support/files.h"

namespace radosload::base {
namespace {

namespace fs = std::filesystem;
using test::read_file;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string& printed() {
  static std::string text;
  return text;
}
void print(std::string_view text) noexcept {
  printed() += text;
}

class Log : public testing::Test {
 protected:
  Log() { printed().clear(); }
  ~Log() override { stop_log(); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  Log(Log&&) = delete;
  Log& operator=(Log&&) = delete;

  std::string file() const { return (m_folder.path() / "log").string(); }
  Status log_to(const std::string& path) const { return start_log({.print = print, .file = path}); }

  test::TemporaryFolder m_folder;
};

TEST_F(Log, IsOffUntilItIsStarted) {
  EXPECT_FALSE(logs(LogLevel::error));
  log_warning("{}", "lost");
  ASSERT_TRUE(log_to(file()));
  EXPECT_EQ(read_file(file()), "");
  stop_log();
  log_warning("{}", "lost");
  EXPECT_EQ(read_file(file()), "");
}

TEST_F(Log, ALineHasTimeProcessLevelAndText) {
  ASSERT_TRUE(start_log({.print = print, .on_stderr = true, .file = file()}));
  log_warning("osd.{} is down", 3);
  const std::string form = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z " +
                           std::to_string(::getpid()) + " warning osd[.]3 is down\n$";
  EXPECT_THAT(read_file(file()), ContainsRegex(form));
  EXPECT_EQ(printed(), read_file(file()));
}

TEST_F(Log, LevelsBelowTheChosenOneAreLeftOut) {
  ASSERT_TRUE(start_log({.level = LogLevel::warning, .print = print, .on_stderr = true}));
  EXPECT_FALSE(logs(LogLevel::info));
  log_info("{}", "little");
  log_warning("{}", "much");
  EXPECT_THAT(printed(), Not(HasSubstr("little")));
  EXPECT_THAT(printed(), HasSubstr("much"));
}

TEST_F(Log, LinesForTheFile_AreNotOnStderr) {
  ASSERT_TRUE(start_log({.print = print, .on_stderr = true, .file = file()}));
  write_log_file(LogLevel::warning, "twice");
  EXPECT_EQ(printed(), "");
  EXPECT_THAT(read_file(file()), HasSubstr("twice"));
}

TEST_F(Log, ControlCharactersAndNewlinesCannotForgeALine) {
  ASSERT_TRUE(log_to(file()));
  log_info("{}", "pool \x1b[2J\r\n2026-01-01T00:00:00.000Z 1 info forged");
  const std::string text = read_file(file());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_THAT(text, HasSubstr(R"(\u001b[2J\u000d\u000a2026)"));
}

TEST_F(Log, KeysAreLeftOut) {
  ASSERT_TRUE(log_to(file()));
  log_info("{}", "CEPH_ARGS=--key AQBSdR5nAAAAABAAHKZ7y3tTGzqSVdsUHD/9Cw== --id load");
  EXPECT_THAT(read_file(file()), HasSubstr("--key [removed] --id load"));
}

TEST_F(Log, NewFile_HasMode0600AndExistingOneIsAppendedTo) {
  ::umask(0);
  ASSERT_TRUE(log_to(file()));
  log_info("{}", "first");
  stop_log();
  EXPECT_EQ(fs::status(file()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(log_to(file()));
  log_info("{}", "second");
  EXPECT_THAT(read_file(file()), ContainsRegex("first\n.*second\n$"));
}

TEST_F(Log, LinksPipesAndFoldersAreRefused) {
  const std::string target = m_folder.with("target", "theirs\n");
  const std::string link = (m_folder.path() / "link").string();
  const std::string twin = (m_folder.path() / "twin").string();
  const std::string pipe = (m_folder.path() / "pipe").string();
  fs::create_symlink(target, link);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {link, pipe, m_folder.path().string(), std::string("/no/log")}) {
    const Status opened = log_to(path);
    ASSERT_FALSE(opened) << path;
    EXPECT_EQ(opened.error().exit, Exit::refused);
    EXPECT_THAT(opened.error().message(), HasSubstr(path));
  }
  fs::create_hard_link(target, twin);
  EXPECT_FALSE(log_to(twin));
  EXPECT_EQ(read_file(target), "theirs\n");
}

TEST_F(Log, FullDisk_IsReportedOnceAndLaterLinesCountTheMissingOnes) {
  ASSERT_TRUE(log_to(file()));
  log_info("{}", "before");
  // No file of this process may grow: writing fails as on a full disk.
  rlimit was{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &was), 0);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{fs::file_size(file()) + 10, was.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  log_info("{}", "lost");
  log_info("{}", "lost");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &was), 0);
  EXPECT_THAT(printed(), HasSubstr("cannot write to the log"));
  EXPECT_EQ(printed().find("cannot write"), printed().rfind("cannot write"));
  log_info("{}", "after");
  EXPECT_THAT(read_file(file()), Not(HasSubstr("lost")));
  EXPECT_THAT(read_file(file()), HasSubstr("\n[2 lines are missing here]\n"));
  EXPECT_THAT(read_file(file()), ContainsRegex("info +after\n$"));
}

}  // namespace
}  // namespace radosload::base
