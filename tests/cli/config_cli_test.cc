// Config files as a person meets them.
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
using testing::HasSubstr;
using testing::Not;

class ConfigCli : public testing::Test {
 protected:
  void user_file(const std::string& text) {
    std::filesystem::create_directories(m_folder.path() / "radosload");
    write_file(m_folder.path() / "radosload" / "radosload.conf", text);
  }
  void system_file(const std::string& text) { m_system = m_folder.with("system.conf", text); }
  Finished run(std::vector<std::string> words) {
    return radosload(std::move(words), {{"XDG_CONFIG_HOME", m_folder.path().string()},
                                        {"XDG_STATE_HOME", m_folder.path().string()},
                                        {"RADOSLOAD_CONFIG", m_system}});
  }
  // The plan in the record of a simulated run.
  json plan(std::vector<std::string> words) {
    words.insert(words.begin(), {"--target", "sim", "--format", "json", "--no-progress"});
    const Finished done = run(std::move(words));
    EXPECT_EQ(done.status, 0) << done.err;
    return done.status == 0 ? json::parse(done.out)["plan"] : json();
  }

  TemporaryFolder m_folder;
  std::string m_system = "/dev/null";
};

TEST_F(ConfigCli, Record_HasTheOptionsOfConfigFilesAndCommandLine) {
  system_file("[run]\ntime = 2s\nwarmup = 2s\ndrain = 9s\n");
  user_file("[run]\ntime = 3s\nwarmup = 1s\npattern = randread4k,qd=3\n");
  const json told = plan({"--time", "4s"});
  EXPECT_EQ(told["time"], "4s") << "the command line";
  EXPECT_EQ(told["warmup"], "1s") << "the user's file";
  EXPECT_EQ(told["drain"], "9s") << "the machine's file";
  EXPECT_EQ(told["qd"], 3);
}

TEST_F(ConfigCli, NoConfigLeavesFilesUnread) {
  user_file("[run]\nwarmup = 1s\n");
  EXPECT_EQ(plan({"--pattern", "randread4k", "--time", "1"})["warmup"], "1s");
  EXPECT_EQ(plan({"--pattern", "randread4k", "--time", "1", "--no-config"})["warmup"], "5s");
  EXPECT_EQ(run({"--no-config", "patterns"}).status, 0);
}

TEST_F(ConfigCli, InvalidEntry_ErrorNamesFileAndLine) {
  user_file("[run]\ntime = 2s\nwramup = 1s\n");
  const Finished done = run({"list"});
  EXPECT_EQ(done.status, usage);
  EXPECT_THAT(done.err, HasSubstr("radosload.conf:3"));
  EXPECT_THAT(done.err, HasSubstr("'warmup'"));
  EXPECT_EQ(run({"list", "--no-config"}).status, 0);
  EXPECT_EQ(run({"help", "config"}).status, 0) << "help is there when it is needed";
}

TEST_F(ConfigCli, Secret_IsRefusedAndNotShown) {
  user_file("[cluster]\nkey = AQBhG2FnAAAAABAA4LAPfO6J0H5s6cDVvz6gTQ==\n");
  const Finished done = run({"status"});
  EXPECT_EQ(done.status, usage);
  EXPECT_THAT(done.err, HasSubstr("keyring"));
  EXPECT_THAT(done.err, Not(HasSubstr("AQBh")));
}

TEST_F(ConfigCli, Suite_IgnoresTheConfiguredTimes) {
  user_file("[run]\ntime = 3s\nwarmup = 1s\n");
  const Finished done = run({"--target", "sim", "--pattern", "kbench", "--dry-run"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("20s"));
}

TEST_F(ConfigCli, UsageErrorWithDefaults_NamesTheConfigFile) {
  user_file("[run]\nrate = fast\n");
  const Finished done = run({"--target", "sim", "--pattern", "randread4k"});
  EXPECT_EQ(done.status, usage);
  EXPECT_THAT(done.err, HasSubstr("--rate=fast"));
  EXPECT_THAT(done.err, HasSubstr("radosload.conf"));
}

}  // namespace
}  // namespace radosload::test
