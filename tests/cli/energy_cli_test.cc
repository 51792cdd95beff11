// Power and energy through the whole program, with a made-up meter; without a cluster.
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/nowhere.h"
#include "support/disk_folder.h"
#include "support/exit_status.h"
#include "support/files.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

// By the names of the columns. No field here has a comma.
std::vector<std::map<std::string, std::string>> csv_rows(const std::string& text) {
  const auto fields_of = [](const std::string& line) {
    std::vector<std::string> fields(1);
    for (const char letter : line) {
      if (letter == ',') {
        fields.emplace_back();
      } else {
        fields.back() += letter;
      }
    }
    return fields;
  };
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const auto names = fields_of(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(lines, line)) {
    const auto fields = fields_of(line);
    EXPECT_EQ(fields.size(), names.size()) << line;
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = fields[i];
  }
  return rows;
}

class EnergyCli : public testing::Test {
 protected:
  // 400 operations a second, in real time.
  Finished run(std::vector<std::string> words,
               const std::string& pattern = "randread4k,qd=4") const {
    words.insert(words.begin(),
                 {"run", "--target", "sim", "--threads", "1", "--sim", "latency=const:10ms",
                  "--pattern", pattern, "--warmup", "0", "--no-progress"});
    return radosload(words, env_without_cluster(m_state.path()));
  }
  std::string file(const std::string& name) const { return (m_state.path() / name).string(); }

  TemporaryFolder m_state;
};

TEST_F(EnergyCli, JoulesOfAnOperation_AreWattsTimesSecondsByOperations) {
  const Finished done =
      run({"--time", "2", "--power-cmd", "echo 100", "--power-idle", "1s", "--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  const json& energy = record["energy"];
  const double measured = record["measured_s"];
  const double ops = record["totals"]["read"]["finished"]["ops"];
  ASSERT_GT(ops, 0);
  EXPECT_NEAR(energy["joules_per_op"]["value"], 100 * measured / ops, 1e-3 * 100 * measured / ops);
  EXPECT_NEAR(energy["ops_per_joule"]["value"], ops / measured / 100, 1e-3 * ops / measured / 100)
      << "IOPS per watt";
  EXPECT_EQ(energy["ops"], ops);
  EXPECT_NEAR(energy["known_s"], measured, 1e-6);
  EXPECT_NEAR(energy["idle_w"], 100, 1e-6);
  EXPECT_NEAR(energy["net_joules_per_op"]["value"], 0, 1e-9) << "the load takes no power here";
  EXPECT_EQ(record["warnings"], json::array());
}

TEST_F(EnergyCli, CsvOfASweep_HasTheEnergyOfEachStep) {
  const Words few = {"--time", "1", "--format", "csv"};
  Words metered = few;
  metered.insert(metered.end(), {"--power-cmd", "echo 50", "--power-idle", "0"});
  const Finished done = run(metered, "randread4k,qd=1:4");
  ASSERT_EQ(done.status, 0) << done.err;
  const auto rows = csv_rows(done.out);
  ASSERT_EQ(rows.size(), 2U);
  for (const auto& row : rows) {
    EXPECT_NEAR(std::stod(row.at("mean_w")), 50, 1e-6);
    EXPECT_NEAR(std::stod(row.at("joules_per_op")), 50 / std::stod(row.at("iops")),
                0.1 * 50 / std::stod(row.at("iops")));
    EXPECT_EQ(row.at("net_joules_per_op"), "") << "idle was not measured";
  }
  EXPECT_THAT(run(few, "randread4k,qd=1:4").out, Not(HasSubstr("mean_w")));
}

TEST_F(EnergyCli, RunOnADrive_HasTheEnergyOfItsConfig) {
  const DiskFolder folder;
  auto environment = env_without_cluster(m_state.path());
  environment["RADOSLOAD_CONFIG"] =
      m_state.with("radosload.conf", "[run]\npower-cmd = echo 20\npower-idle = 0\n");
  const Finished done = radosload(
      {"run", "--drive", folder.file("drive"), "--create", "1M", "--pattern", "randread4k",
       "--rate", "50", "--time", "2", "--warmup", "0", "--no-progress", "--json"},
      environment);
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  EXPECT_EQ(record["plan"]["power-cmd"], "echo 20");
  const json& energy = record["energy"];
  EXPECT_NEAR(energy["mean_w"], 20, 1e-6);
  // A busy machine may take some time to start the command.
  const double ops = energy["ops"];
  EXPECT_GT(ops, 0);
  EXPECT_NEAR(energy["joules_per_op"]["value"], 20 * energy["known_s"].get<double>() / ops, 1e-6);
}

TEST_F(EnergyCli, ReportsAndComparisons_HaveTheEnergy) {
  for (const char* const watts : {"100", "50"}) {
    const Finished done =
        run({"--time", "1", "--power-cmd", std::string("echo ") + watts, "--power-idle", "0",
             "--save", file(watts), "--html", file("page.html"), "--overwrite"});
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("power     " + std::string(watts))) << done.out;
    EXPECT_THAT(done.out, HasSubstr(" mJ per operation\n"));
    EXPECT_THAT(done.out, HasSubstr(" operations per joule, which is IOPS per watt\n"));
  }
  const Finished compared = radosload({"compare", file("100"), file("50"), "--json"});
  ASSERT_EQ(compared.status, 0) << compared.err;
  std::map<std::string, double> ratios;
  const json comparison = json::parse(compared.out);
  for (const json& row : comparison["rows"]) {
    if (row["ratios"][1].is_number()) ratios[row["metric"]] = row["ratios"][1];
  }
  EXPECT_NEAR(ratios["watts"], 0.5, 1e-6);
  // How many operations a busy machine does differs from run to run, and some of them are of
  // seconds in which the power is not known to the end.
  EXPECT_NEAR(ratios["iops_per_w"], 2 * ratios["iops"], 0.1 * ratios["iops"]);
  EXPECT_NEAR(ratios["mj_per_op"], 0.5 / ratios["iops"], 0.05 / ratios["iops"]);
  EXPECT_THAT(read_file(file("page.html")), HasSubstr("mJ per operation"));
}

TEST_F(EnergyCli, CommandThatFailsBeforeTheRun_IsRefusedWithAdvice) {
  for (const auto& [command, why] :
       {std::pair<std::string, std::string>{"echo 12 W", "'12 W', which is not one number"},
        {"exit 3", "status 3"},
        {"no-such-meter", "status 127"}}) {
    const Finished done = run({"--time", "1", "--power-cmd", command});
    EXPECT_EQ(done.status, refused) << done.err;
    EXPECT_EQ(done.out, "");
    EXPECT_THAT(done.err, HasSubstr(why));
    EXPECT_THAT(done.err, HasSubstr("it must print watts"));
  }
}

TEST_F(EnergyCli, CommandThatHangs_CostsItsSecondsOfPowerOnly) {
  const std::string calls = m_state.with("calls", "0");
  const std::string meter =
      "n=$(cat " + calls + "); echo $((n + 1)) >" + calls + "; [ $n -lt 2 ] || sleep 100; echo 100";
  const Finished done = run({"--time", "3", "--power-cmd", meter, "--power-idle", "0", "--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_LT(done.seconds, 50) << "the command is killed when the run ends";
  EXPECT_GT(json::parse(done.out)["totals"]["read"]["ops"], 50);
}

TEST_F(EnergyCli, InVirtualTime_IsAUsageError) {
  const Finished done = radosload({"run", "--target", "sim", "--pattern", "randread4k", "--time",
                                   "1", "--power-cmd", "echo 100"},
                                  env_without_cluster(m_state.path()));
  EXPECT_EQ(done.status, usage);
  EXPECT_THAT(done.err, HasSubstr("add --threads 1"));
}

TEST_F(EnergyCli, UnknownSensors_AreAUsageErrorAndSessionsAreRefused) {
  const Finished unknown = run({"--time", "1", "--power", "rappl"});
  EXPECT_EQ(unknown.status, usage);
  EXPECT_THAT(unknown.err, HasSubstr("rapl"));
  const Finished session = at_nowhere({"run", "--pool", "p", "--pattern", "randread4k", "--session",
                                       "s", "--members", "2", "--power", "rapl"});
  EXPECT_EQ(session.status, usage);
  EXPECT_THAT(session.err, HasSubstr("--session does not work with --power"));
}

// A file of another user must not have its command run.
TEST_F(EnergyCli, ResumedFile_RunsNoPowerCommand) {
  const Finished made = run({"--time", "1", "--json"}, "randread4k,qd=1:2");
  ASSERT_EQ(made.status, 0) << made.err;
  json series = json::parse(made.out);
  const std::string command = "touch " + file("theirs") + "; echo 1";
  for (json& step : series["steps"]) {
    step["state"] = "missing";
    step["record"] = nullptr;
    step["plan"]["power-cmd"] = command;
  }
  const std::string saved = m_state.with("series.json", series.dump());
  const std::vector<std::string> resume = {"run", "--no-progress", "--resume", saved};
  const Finished done = radosload(resume, env_without_cluster(m_state.path()));
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, HasSubstr("--power-cmd"));
  EXPECT_FALSE(std::filesystem::exists(file("theirs")));
  std::vector<std::string> again = resume;
  again.insert(again.end(), {"--power-cmd", command});
  const Finished allowed = radosload(again, env_without_cluster(m_state.path()));
  EXPECT_EQ(allowed.status, 0) << allowed.err;
  EXPECT_TRUE(std::filesystem::exists(file("theirs"))) << "the same command was given";
}

}  // namespace
}  // namespace radosload::test
