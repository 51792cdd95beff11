// The sensors of power that the kernel shows, in a made-up tree of its files.
#include <cerrno>
#include <sys/fsuid.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/places.h"
#include "unit/power_tree.h"
#include "watch/power_files.h"

namespace radosload::watch {
namespace {

namespace fs = std::filesystem;
using test::PowerTree;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> names_of(const PowerTree& tree, PowerSensors sensors) {
  const auto files = find_power_files(sensors, tree.folders());
  std::vector<std::string> names;
  if (!files) return {files.error().message()};
  for (const PowerFile& file : *files) names.push_back(file.name);
  return names;
}

// For the kernel this thread is another user: root itself may read everything.
class AsAnotherUser {
 public:
  AsAnotherUser() { ::setfsuid(other); }
  ~AsAnotherUser() { ::setfsuid(::geteuid()); }
  AsAnotherUser(const AsAnotherUser&) = delete;
  AsAnotherUser& operator=(const AsAnotherUser&) = delete;
  AsAnotherUser(AsAnotherUser&&) = delete;
  AsAnotherUser& operator=(AsAnotherUser&&) = delete;

 private:
  static constexpr uid_t other = 65'534;
};

// Readable for all, but for this file.
void forbid(const PowerTree& tree, const fs::path& file) {
  using fs::perms;
  fs::permissions(tree.path(), perms::owner_all | perms::group_read | perms::group_exec |
                                   perms::others_read | perms::others_exec);
  fs::permissions(file, perms::none);
}

TEST(Rapl, OnlyPackagesAreAddedUp) {
  const PowerTree tree;
  tree.domain("intel-rapl:1", "package-1", 2'000'000);
  tree.domain("intel-rapl:0", "package-0", 1'000'000);
  tree.domain("intel-rapl:0:0", "core", 600'000);
  tree.domain("intel-rapl:0:1", "dram", 100'000);
  tree.domain("intel-rapl:2", "psys", 9'000'000);
  tree.domain("intel-rapl-mmio:0", "package-0", 1'000'000);
  const auto files = find_power_files(PowerSensors::rapl, tree.folders());
  ASSERT_TRUE(files) << files.error().message();
  ASSERT_EQ(files->size(), 2U);
  EXPECT_EQ(files->at(0).name, "RAPL package-0");
  EXPECT_TRUE(files->at(0).counter);
  EXPECT_EQ(files->at(0).range, 1'000'000U);
  EXPECT_EQ(read_power_file(files->at(0).path), 1'000'000U);
  EXPECT_EQ(files->at(1).name, "RAPL package-1");
}

TEST(Hwmon, EachSensorIsReadOnce) {
  const PowerTree tree;
  tree.chip("10", "ina226");
  tree.set("hwmon/hwmon10/power1_input", "7000000");
  tree.chip("2", "amdgpu");
  tree.set("hwmon/hwmon2/power1_input", "31000000");
  tree.set("hwmon/hwmon2/power1_average", "30000000");
  tree.set("hwmon/hwmon2/power1_label", "PPT");
  tree.set("hwmon/hwmon2/power2_cap", "99000000");
  tree.set("hwmon/hwmon2/power3_input", "no value");
  tree.chip("3", "amd_energy");
  tree.set("hwmon/hwmon3/energy1_input", "5");
  tree.set("hwmon/hwmon3/energy1_label", "Ecore000");
  tree.set("hwmon/hwmon3/energy2_input", "9");
  tree.set("hwmon/hwmon3/energy2_label", "Esocket0");
  tree.set("hwmon/hwmon3/power1_input", "1");
  tree.chip("4", "k10temp");
  EXPECT_THAT(names_of(tree, PowerSensors::hwmon),
              ElementsAre("hwmon amdgpu PPT", "hwmon amd_energy Esocket0", "hwmon ina226 power1"));
  const auto files = find_power_files(PowerSensors::hwmon, tree.folders()).value();
  EXPECT_FALSE(files[0].counter);
  EXPECT_EQ(files[0].path.filename(), "power1_average") << "less noise than a single moment";
  EXPECT_TRUE(files[1].counter);
}

TEST(Hwmon, MeterOfTheWholeMachine_StandsForAllOthers) {
  const PowerTree tree;
  tree.chip("0", "amdgpu");
  tree.set("hwmon/hwmon0/power1_average", "30000000");
  tree.chip("1", "power_meter");
  tree.set("hwmon/hwmon1/power1_average", "250000000");
  EXPECT_THAT(names_of(tree, PowerSensors::hwmon), ElementsAre("hwmon power_meter power1"));
}

TEST(AutomaticSensors, AreThoseThatSeeMost) {
  const PowerTree tree;
  tree.chip("0", "amdgpu");
  tree.set("hwmon/hwmon0/power1_average", "30000000");
  EXPECT_THAT(names_of(tree, PowerSensors::automatic), ElementsAre("hwmon amdgpu power1"));
  tree.domain("intel-rapl:0", "package-0", 1);
  EXPECT_THAT(names_of(tree, PowerSensors::automatic), ElementsAre("RAPL package-0"));
  tree.chip("1", "power_meter");
  tree.set("hwmon/hwmon1/power1_average", "250000000");
  EXPECT_THAT(names_of(tree, PowerSensors::automatic), ElementsAre("hwmon power_meter power1"));
}

TEST(PowerSensorsOff, ReadNothing) {
  const PowerTree tree;
  tree.domain("intel-rapl:0", "package-0", 1);
  EXPECT_THAT(names_of(tree, PowerSensors::off), IsEmpty());
}

TEST(AbsentSensors, AreAnErrorWithAdvice) {
  const PowerTree tree;
  for (const auto& [sensors, option] : {std::pair{PowerSensors::rapl, "--power rapl"},
                                        {PowerSensors::hwmon, "--power hwmon"},
                                        {PowerSensors::automatic, "--power auto"}}) {
    const auto files = find_power_files(sensors, tree.folders());
    ASSERT_FALSE(files);
    EXPECT_EQ(files.error().exit, Exit::refused);
    EXPECT_THAT(files.error().message(), HasSubstr(option));
    EXPECT_THAT(files.error().hint, HasSubstr("--power-cmd"));
    EXPECT_FALSE(find_power_files(
        sensors, {.powercap = test::nowhere("powercap"), .hwmon = test::nowhere("hwmon")}));
  }
}

TEST(SensorThatOnlyRootMayRead, IsNamedWithWhatToDo) {
  const PowerTree tree;
  const fs::path file = tree.domain("intel-rapl:0", "package-0", 1);
  forbid(tree, file);
  const AsAnotherUser user;
  const auto files = find_power_files(PowerSensors::rapl, tree.folders());
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().errnum, EACCES);
  EXPECT_EQ(files.error().exit, Exit::refused);
  EXPECT_THAT(files.error().message(), HasSubstr("energy_uj: Permission denied (EACCES)"));
  EXPECT_THAT(files.error().hint, HasSubstr("only root"));
}

TEST(AutomaticSensors, SkipWhatMayNotBeRead) {
  const PowerTree tree;
  forbid(tree, tree.domain("intel-rapl:0", "package-0", 1));
  tree.chip("0", "amdgpu");
  tree.set("hwmon/hwmon0/power1_average", "30000000");
  const AsAnotherUser user;
  EXPECT_THAT(names_of(tree, PowerSensors::automatic), ElementsAre("hwmon amdgpu power1"));
}

TEST(PowerFileText, IsOneNumber) {
  const PowerTree tree;
  EXPECT_EQ(read_power_file(tree.set("a", "262143328850")), 262'143'328'850U);
  for (const char* const text : {"", "x", "12x", "-3", "1 2"}) {
    const auto value = read_power_file(tree.set("a", text));
    ASSERT_FALSE(value) << text;
    EXPECT_THAT(value.error().message(), HasSubstr("it holds no number"));
  }
  EXPECT_EQ(read_power_file(tree.path() / "none").error().errnum, ENOENT);
}

}  // namespace
}  // namespace radosload::watch
