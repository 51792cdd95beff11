// An OSD that is killed, paused or restarted in each part of a run: the run waits for it, loses
// nothing, and leaves nothing behind.
#include <csignal>
#include <thread>
#include <tuple>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/osd_processes.h"
#include "cluster/runs.h"
#include "support/grave.h"
#include "support/settled.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::seconds;

constexpr const char* lost_osd = "1";
// Longer than an OSD takes to come back.
constexpr const char* long_drain = "5m";

// A part of the run, and what it prints on stderr when it has begun. The run makes that part last,
// and loads the cluster no more than this takes.
struct Part {
  const char* name;
  const char* sign;
  const char* size;
  const char* prefill_rate;
  bool endless;  // Ctrl-C ends it when the OSD is back
};

// What befalls the OSD; each leaves it running. Without commands it stands still for a while.
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

const std::vector<Part> parts = {{"prefill", "prefill: ", "16M", "4M", false},
                                 {"run", "    1 ", "8M", "1G", true},
                                 {"cleanup", "clean up: ", "64M", "1G", false}};
const std::vector<Blow> blows = {
    {"killed", {{"osd", "kill", lost_osd}, {"osd", "start", lost_osd}}},
    {"paused", {}},
    {"restarted", {{"osd", "restart", lost_osd}}}};

void strike(const Blow& blow, const std::vector<pid_t>& osd) {
  for (const auto& command : blow.commands) EXPECT_EQ(lab(command).status, 0);
  if (!blow.commands.empty()) return;
  const Stopped stopped(osd);
  // Time: for so long its operations wait. After 8 s without a read lease PGs may stay laggy.
  std::this_thread::sleep_for(seconds(2));
}

void expect_conservation(const json& record) {
  std::uint64_t timeline = 0;
  for (const json& second : record["timeline"])
    timeline += second["timed_ops"].get<std::uint64_t>();
  EXPECT_EQ(timeline, record["totals"]["all"]["ops"].get<std::uint64_t>()) << wrong_figure;
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
  const auto osd = pids_of_osds({lost_osd});
  const std::vector<std::string> more = {"--rate",  light_load, "--prefill-rate", part.prefill_rate,
                                         "--drain", long_drain, "--format",       "json"};
  Process process(launch(words("ssd", "randrw4k,object-size=16k,size=" + std::string(part.size),
                               part.endless ? until_ended(more) : few_operations(more))));
  ASSERT_TRUE(process.wait_for_output(part.sign));
  strike(blow, osd);
  if (part.endless) {
    EXPECT_TRUE(await_more_seconds(process, 2));
    process.signal(SIGINT);
  }
  const Finished done = process.wait();
  ASSERT_EQ(done.status, part.endless ? interrupted : 0) << done.err;
  const json record = json::parse(done.out);
  EXPECT_EQ(record["totals"]["all"]["errors"], json::object());
  EXPECT_EQ(record["counts"]["measured"]["cancelled"], 0);
  expect_conservation(record);
  EXPECT_EQ(names_in("ssd"), "");
}

// The run ends while the OSD does not answer: what is in flight is waited for.
class LostInDrain : public LosingOsds, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(OneOsd, LostInDrain, testing::Values("resume", "kill"));

TEST_P(LostInDrain, TheLastOperationsAreWaitedFor) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be struck";
  Process process(launch(words("ssd", "randrw4k,size=8M,object-size=64k",
                               until_ended({"--drain", long_drain, "--format", "json"}))));
  ASSERT_TRUE(await_second(process, 1));
  ASSERT_EQ(lab({"osd", "pause", lost_osd}).status, 0);
  EXPECT_TRUE(process.wait_for_output("osd.1: ")) << "no operation waits for it";
  process.signal(SIGINT);
  EXPECT_TRUE(process.wait_for_output("drain: "));
  EXPECT_EQ(lab({"osd", GetParam(), lost_osd}).status, 0);
  EXPECT_EQ(lab({"osd", "start", lost_osd}).status, 0);
  const Finished done = process.wait();
  ASSERT_EQ(done.status, interrupted) << done.err;
  const json record = json::parse(done.out);
  EXPECT_EQ(record["totals"]["all"]["errors"], json::object());
  EXPECT_EQ(record["counts"]["measured"]["cancelled"], 0);
  expect_conservation(record);
  EXPECT_EQ(names_in("ssd"), "");
}

}  // namespace
}  // namespace radosload::test
