// What config files add to the words of a command line.
#include <cstdlib>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/command_line.h"
#include "cli/options/defaults.h"
#include "plan/options.h"
#include "support/files.h"
#include "support/places.h"

#include <fmt/format.h>

namespace radosload::cli {
namespace {

using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

using Words = std::vector<std::string>;

class DefaultsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* const name : {"CEPH_CONF", "CEPH_ARGS", "CEPH_KEYRING"}) ::unsetenv(name);
  }
  void TearDown() override { SetUp(); }

  // For a file that is not there: nothing.
  Result<Defaults> of(const std::string& user, const std::string& system, const Words& words) {
    ConfigPaths paths{.system = m_folder.path() / "none", .user = m_folder.path() / "none"};
    if (!user.empty()) paths.user = m_folder.with("user.conf", user);
    if (!system.empty()) paths.system = m_folder.with("system.conf", system);
    return defaults_for(words, paths);
  }
  Words words(const std::string& user, const std::string& system, const Words& given) {
    const auto defaults = of(user, system, given);
    EXPECT_TRUE(defaults) << defaults.error().message();
    return defaults ? defaults->words : Words{"failed"};
  }
  std::string error(const std::string& user) {
    const auto defaults = of(user, "", {"run"});
    if (defaults) return "no error";
    EXPECT_EQ(defaults.error().exit, Exit::usage);
    return defaults.error().message();
  }

  TemporaryFolder m_folder;
};

TEST_F(DefaultsTest, WithoutFilesThereAreNone) {
  EXPECT_THAT(words("", "", {"run", "--pool", "a"}), IsEmpty());
}

TEST_F(DefaultsTest, Priority_IsCommandLineThenUserFileThenSystemFile) {
  const std::string system = "[run]\ntime = 10s\nwarmup = 1s\npool = a\n";
  const std::string user = "[run]\ntime = 20s\nwarmup = 2s\n";
  EXPECT_THAT(words("", system, {"run"}),
              UnorderedElementsAre("--time=10s", "--warmup=1s", "--pool=a"));
  EXPECT_THAT(words(user, system, {"run"}),
              UnorderedElementsAre("--time=20s", "--warmup=2s", "--pool=a"));
  EXPECT_THAT(words(user, system, {"run", "--time", "30s", "-p", "b"}),
              UnorderedElementsAre("--warmup=2s"));
}

TEST_F(DefaultsTest, ACommandReadsItsOwnSectionAndTheClusters) {
  const std::string user = "[run]\ntime = 20s\n[cluster]\nid = load\n[cleanup]\npool = a\n";
  EXPECT_THAT(words(user, "", {"run"}), ElementsAre("--time=20s", "--id=load"));
  EXPECT_THAT(words(user, "", {"cleanup"}), ElementsAre("--pool=a", "--id=load"));
  EXPECT_THAT(words(user, "", {"status"}), ElementsAre("--id=load"));
  EXPECT_THAT(words(user, "", {"list"}), IsEmpty());
}

TEST_F(DefaultsTest, SwitchesTakeYesAndNo) {
  EXPECT_THAT(words("[run]\nkeep = yes\n", "", {"run"}), ElementsAre("--keep"));
  EXPECT_THAT(words("[run]\nkeep = true\n", "", {"run"}), ElementsAre("--keep"));
  EXPECT_THAT(words("[run]\nkeep = false\n", "", {"run"}), IsEmpty());
  EXPECT_THAT(words("[run]\nkeep = no\n", "[run]\nkeep = yes\n", {"run"}), IsEmpty());
  EXPECT_THAT(words("[run]\nkeep = yes\n", "", {"run", "--keep=no"}), IsEmpty());
  EXPECT_THAT(error("[run]\nkeep = perhaps\n"), HasSubstr("keep = yes or keep = no"));
}

TEST_F(DefaultsTest, AnotherClusterOnTheCommandLine_IgnoresTheConfiguredUser) {
  const std::string user =
      "[cluster]\nconf = /a.conf\nid = load\nkeyring = /a.keyring\nconnect-timeout = 3s\n";
  EXPECT_THAT(words(user, "", {"status", "--conf", "/b.conf"}),
              ElementsAre("--connect-timeout=3s"));
  EXPECT_THAT(words(user, "", {"status", "-m", "10.0.0.1"}), ElementsAre("--connect-timeout=3s"));
  EXPECT_THAT(words(user, "", {"status", "--name", "client.x"}),
              ElementsAre("--conf=/a.conf", "--connect-timeout=3s"));
  EXPECT_THAT(words(user, "", {"status", "-k", "/b.keyring"}),
              ElementsAre("--conf=/a.conf", "--id=load", "--connect-timeout=3s"));
  // And likewise between the files.
  EXPECT_THAT(words("[cluster]\nconf = /b.conf\n", user, {"status"}),
              ElementsAre("--conf=/b.conf", "--connect-timeout=3s"));
}

TEST_F(DefaultsTest, AnotherClusterOrObserver_IgnoresTheConfiguredObserver) {
  const std::string user = "[run]\nobserver-id = watcher\nobserver-keyring = /w.keyring\n";
  EXPECT_THAT(words(user, "", {"run", "--pool", "a"}),
              ElementsAre("--observer-id=watcher", "--observer-keyring=/w.keyring"));
  EXPECT_THAT(words(user, "", {"run", "--conf", "/b.conf"}), IsEmpty());
  EXPECT_THAT(words(user, "", {"run", "--observer-id", "other"}), IsEmpty());
  EXPECT_THAT(words(user, "", {"run", "--target", "sim"}), IsEmpty());
}

TEST_F(DefaultsTest, Environment_OverridesFiles) {
  const std::string user = "[cluster]\nconf = /a.conf\nid = load\n";
  ::setenv("CEPH_CONF", "/lab/ceph.conf", 1);
  EXPECT_THAT(words(user, "", {"status"}), IsEmpty());
  ::unsetenv("CEPH_CONF");
  ::setenv("CEPH_ARGS", "--id other", 1);
  EXPECT_THAT(words(user, "", {"status"}), ElementsAre("--conf=/a.conf"));
  ::setenv("CEPH_ARGS", "--cluster remote", 1);
  EXPECT_THAT(words(user, "", {"status"}), IsEmpty());
}

TEST_F(DefaultsTest, Simulation_IgnoresTheConfiguredPool) {
  const std::string user =
      "[run]\npool = a\nnamespace = n\nkeep = yes\ntime = 3s\n"
      "power = auto\npower-cmd = /meter\npower-idle = 9s\n";
  EXPECT_THAT(words(user, "", {"run", "--target", "sim"}), ElementsAre("--time=3s"));
  EXPECT_THAT(words(user, "", {"run", "--target=null"}), ElementsAre("--time=3s"));
}

TEST_F(DefaultsTest, NoConfigLeavesEverythingUnread) {
  EXPECT_THAT(words("[nonsense\n", "", {"run", "--no-config"}), IsEmpty());
  EXPECT_THAT(words("[nonsense\n", "", {"help"}), IsEmpty());
}

TEST_F(DefaultsTest, InvalidEntry_ErrorHasItsLine) {
  EXPECT_THAT(error("[run]\ntmie = 3s\n"),
              ::testing::AllOf(HasSubstr("user.conf:2"), HasSubstr("did you mean 'time'?")));
  EXPECT_THAT(error("[rnu]\ntime = 3s\n"), HasSubstr("did you mean 'run'?"));
  EXPECT_THAT(error("[run]\n\ntime = soon\n"),
              ::testing::AllOf(HasSubstr("user.conf:3"), HasSubstr("soon")));
  EXPECT_THAT(error("[run]\ntarget = disk\n"), HasSubstr("user.conf:2"));
  EXPECT_THAT(error("[cluster]\npool = a\n"), HasSubstr("user.conf:2"));
  // Also where this command would not have looked.
  EXPECT_THAT(error("[cleanup]\npolo = a\n"), HasSubstr("user.conf:2"));
}

TEST_F(DefaultsTest, OptionsOfASingleRun_AreRefused) {
  for (const std::string key :
       {"destroy-data", "image", "create", "reuse", "resume", "dry-run", "overwrite"}) {
    EXPECT_THAT(error("[run]\n" + key + " = yes\n"), HasSubstr("command line")) << key;
  }
  EXPECT_THAT(error("[cleanup]\nforce = yes\n"), HasSubstr("command line"));
  EXPECT_THAT(error("[run]\nqd = 4\n"), HasSubstr("pattern = NAME,qd="));
}

TEST_F(DefaultsTest, EveryOptionOfAPlan_FollowsTheConfigRuleOfItsRow) {
  RunPlan plan;
  plan.seed = 7;
  plan.arrival = {Arrival::Law::constant, 100};
  plan.labels = {{"rack", "3"}};
  for (const plan::Option& row : plan::options()) {
    if (row.group == plan::Group::hidden) continue;
    const plan::Option& means = row.recorded() ? row : *plan::find_option(row.short_for);
    const std::string value = row.name == "threads" ? "2" : means.get(plan).value_or("randrw4k");
    const std::string said =
        error(fmt::format("[run]\n{} = {}\n", row.name, value.empty() ? "x" : value));
    switch (row.in_config) {
      case plan::InConfig::allowed:
        EXPECT_EQ(said, "no error") << row.name;
        break;
      case plan::InConfig::one_run:
        EXPECT_THAT(said, HasSubstr("on the command line of each run")) << row.name;
        break;
      case plan::InConfig::of_pattern:
        EXPECT_THAT(said, HasSubstr(fmt::format("pattern = NAME,{}=", means.name))) << row.name;
        break;
    }
  }
}

TEST_F(DefaultsTest, UnreadableFile_IsReported) {
  const auto defaults = defaults_for({"run"}, {.system = {}, .user = m_folder.path()});
  ASSERT_FALSE(defaults) << "a folder is no file";
  EXPECT_THAT(defaults.error().message(), HasSubstr(m_folder.path().string()));
  EXPECT_THAT(defaults.error().message(), HasSubstr("--no-config"));
}

TEST_F(DefaultsTest, UnparsableCommandLine_GetsNoDefaults) {
  EXPECT_THAT(words("[nonsense\n", "", {"run", "--nonsense"}), IsEmpty());
  EXPECT_THAT(words("[nonsense\n", "", {"run", "--help"}), IsEmpty());
}

TEST_F(DefaultsTest, NamesOfPoolsAreTakenFromBothFiles) {
  const auto defaults =
      of("[pools]\nfast = mine\n", "[pools]\nfast = theirs\nslow = hdd\n", {"run"});
  ASSERT_TRUE(defaults);
  EXPECT_EQ(defaults->pools,
            (std::map<std::string, std::string>{{"fast", "mine"}, {"slow", "hdd"}}));
}

TEST(CommandLineTest, ANameForAPoolIsResolvedWhereverAPoolIsNamed) {
  CommandLine line;
  line.pools = {{"fast", "nvme-rep3"}, {"nvme-rep3", "another"}};
  line.app.parse("cleanup --pool fast");
  const auto* const option = line.app.get_subcommand("cleanup")->get_option("--pool");
  EXPECT_EQ(option->as<std::string>(), "nvme-rep3") << "once, and not on and on";
  EXPECT_THAT(line.renamed, ::testing::Contains("fast"));
}

// What is shipped shows what can be said, so all of it has to be right.
TEST_F(DefaultsTest, ShippedFile_SetsNothingAndItsExamplesAreValid) {
  const std::string shipped = test::read_file(test::in_source("packaging/radosload.conf"));
  EXPECT_THAT(words(shipped, "", {"run"}), IsEmpty());
  std::string examples;
  std::istringstream lines(shipped);
  for (std::string line; std::getline(lines, line);) {
    const bool example = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    examples += (example ? line.substr(1) : "") + "\n";
  }
  EXPECT_THAT(words(examples, "", {"run"}), ::testing::SizeIs(7));
}

TEST(ConfigPathsTest, AreThoseOfTheXdgSpecification) {
  ::unsetenv("RADOSLOAD_CONFIG");
  ::setenv("XDG_CONFIG_HOME", "/x", 1);
  ::setenv("HOME", "/h", 1);
  EXPECT_EQ(config_paths().system, "/etc/radosload/radosload.conf");
  EXPECT_EQ(config_paths().user, "/x/radosload/radosload.conf");
  ::setenv("XDG_CONFIG_HOME", "relative", 1);
  EXPECT_EQ(config_paths().user, "/h/.config/radosload/radosload.conf");
  ::unsetenv("HOME");
  EXPECT_EQ(config_paths().user, "");
  ::setenv("RADOSLOAD_CONFIG", "", 1);
  EXPECT_EQ(config_paths().system, "");
  ::unsetenv("RADOSLOAD_CONFIG");
}

}  // namespace
}  // namespace radosload::cli
