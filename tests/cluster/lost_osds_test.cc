// An OSD that is killed, paused or restarted in each part of a run: the run waits for it, loses
// nothing, and leaves nothing behind.
#include <csignal>
#include <thread>
#include <tuple>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/osd_processes.h"
#include "cluster/runs.h"
#include "support/settled.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::seconds;

constexpr const char* lost_osd = "1";

// A part of the run, and what it prints on stderr when it has begun. The run makes that part last,
// and loads the cluster no more than this takes.
struct Part {
  const char* name;
  const char* sign;
  const char* size;
  const char* prefill_rate;
  const char* time;
};

// What befalls the OSD; each leaves it running.
struct Blow {
  const char* name;
  std::vector<std::vector<std::string>> commands;
};

// How ctest names a case.
void PrintTo(const Part& part, std::ostream* out) {
  *out << part.name;
}
void PrintTo(const Blow& blow, std::ostream* out) {
  *out << blow.name;
}

const std::vector<Part> parts = {{"prefill", "prefill: ", "16M", "6M", "1"},
                                 {"run", "    1 ", "8M", "1G", "4"},
                                 {"cleanup", "clean up: ", "64M", "1G", "1"}};
const std::vector<Blow> blows = {
    {"killed", {{"osd", "kill", lost_osd}, {"osd", "start", lost_osd}}},
    {"paused", {{"osd", "pause", lost_osd}, {"osd", "resume", lost_osd}}},
    {"restarted", {{"osd", "restart", lost_osd}}}};

void strike(const Blow& blow) {
  for (const auto& command : blow.commands) {
    EXPECT_EQ(lab(command).status, 0);
    if (command[1] == "pause") std::this_thread::sleep_for(seconds(2));
  }
}

void expect_conservation(const json& record) {
  std::uint64_t timeline = 0;
  for (const json& second : record["timeline"])
    timeline += second["timed_ops"].get<std::uint64_t>();
  EXPECT_EQ(timeline, record["totals"]["all"]["ops"].get<std::uint64_t>());
}

class LosingOsds : public Runs {
 protected:
  void TearDown() override {
    if (on_lab()) await_clean();
  }
};

class LostOsds : public LosingOsds, public testing::WithParamInterface<std::tuple<Part, Blow>> {};

std::string part_and_blow(const testing::TestParamInfo<std::tuple<Part, Blow>>& chosen) {
  return std::string(std::get<Part>(chosen.param).name) + "_" + std::get<Blow>(chosen.param).name;
}
INSTANTIATE_TEST_SUITE_P(OneOsd, LostOsds,
                         testing::Combine(testing::ValuesIn(parts), testing::ValuesIn(blows)),
                         part_and_blow);

TEST_P(LostOsds, RunWaitsForTheOsdAndLosesNothing) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be struck";
  const auto& [part, blow] = GetParam();
  Process process(launch(words("ssd", "randrw4k,object-size=16k,size=" + std::string(part.size),
                               {"--time", part.time, "--rate", light_load, "--prefill-rate",
                                part.prefill_rate, "--format", "json"})));
  ASSERT_TRUE(process.wait_for_output(part.sign, seconds(60)));
  strike(blow);
  const Finished done = process.wait();
  ASSERT_EQ(done.status, 0) << done.err;
  expect_conservation(json::parse(done.out));
  EXPECT_EQ(names_in("ssd"), "");
}

// The run's time is over while the OSD does not answer: what is in flight is waited for.
class LostInDrain : public LosingOsds, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(OneOsd, LostInDrain, testing::Values("resume", "kill"));

TEST_P(LostInDrain, TheLastOperationsAreWaitedFor) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be struck";
  const auto osd = pids_of_osds({lost_osd});
  Process process(launch(
      words("ssd", "randrw4k,size=8M,object-size=64k", {"--time", "3", "--format", "json"})));
  ASSERT_TRUE(process.wait_for_output("    1 ", seconds(60)));
  ASSERT_EQ(::kill(osd.front(), SIGSTOP), 0);
  EXPECT_TRUE(process.wait_for_output("drain: ", seconds(30)));
  EXPECT_EQ(lab({"osd", GetParam(), lost_osd}).status, 0);
  EXPECT_EQ(lab({"osd", "start", lost_osd}).status, 0);
  const Finished done = process.wait();
  ASSERT_EQ(done.status, 0) << done.err;
  expect_conservation(json::parse(done.out));
  EXPECT_EQ(names_in("ssd"), "");
}

}  // namespace
}  // namespace radosload::test
