// `radosload probe` on a simulated cluster: what a person sees, kill -9, Ctrl-C, a full disk,
// metrics, and the command for a change.
#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "base/descriptor.h"
#include "cli/nowhere.h"
#include "support/exit_status.h"
#include "support/files.h"
#include "support/wait_for.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using Words = std::vector<std::string>;

// What takes a moment usually.

class ProbeCli : public testing::Test {
 protected:
  Launch launch(Words words) const {
    words.insert(words.begin(), {radosload_path(), "probe"});
    return {.words = std::move(words), .env = env_without_cluster(m_state.path())};
  }
  Finished probe(Words words) const { return run(launch(std::move(words))); }
  // Eight OSDs in virtual time.
  Finished simulate(Words more) const {
    Words words = {"--target", "sim", "--sim"};
    words.insert(words.end(), more.begin(), more.end());
    return probe(std::move(words));
  }
  json shown(Words more = {}) const {
    Words words = {"show", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished done = probe(std::move(words));
    EXPECT_EQ(done.status, 0) << done.err;
    return done.status == 0 ? json::parse(done.out) : json();
  }
  fs::path folder() const { return m_state.path() / "radosload/probe/sim"; }
  std::uint64_t history_bytes() const {
    std::uint64_t bytes = 0;
    if (!fs::exists(folder())) return 0;
    for (const auto& file : fs::directory_iterator(folder())) bytes += file.file_size();
    return bytes;
  }
  // Whether a round or two are written after that size.
  testing::AssertionResult history_grows_from(std::uint64_t bytes) const {
    return wait_for("the history to grow from " + std::to_string(bytes) + " bytes", [&] {
      return Seen(history_bytes() >= bytes + 400, std::to_string(history_bytes()));
    });
  }
  std::size_t files_of_history() const {
    return static_cast<std::size_t>(
        std::count_if(fs::directory_iterator(folder()), fs::directory_iterator(),
                      [](const auto& file) { return file.path().extension() == ".jsonl"; }));
  }
  fs::path in_state(const std::string& name) const { return m_state.path() / name; }

 private:
  TemporaryFolder m_state;
};

const char* const slow_model = "latency=lognormal:10ms:0.3,osds=8,slow=3:2";
const char* const real_model = "latency=const:1ms,osds=4,threads=1";

TEST_F(ProbeCli, SlowOsd_IsReportedWithItsKindTimeAndSize) {
  const Finished done = simulate({slow_model, "--rounds", "80"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("osd.3 read: "));
  EXPECT_THAT(done.out, AllOf(HasSubstr("80 rounds"), HasSubstr("osd.3 read: "),
                              HasSubstr("times as long since ")));
  const json document = shown();
  EXPECT_EQ(document["rounds"], 80);
  EXPECT_EQ(document["osds"].size(), 8U);
  ASSERT_GE(document["changes"].size(), 1U);
  const json& change = document["changes"][0];
  EXPECT_EQ(change["osd"], 3);
  EXPECT_EQ(change["op"], "read");
  EXPECT_NEAR(change["ratio"].get<double>(), 2, 0.4);
  EXPECT_EQ(change["peers"], 7);
}

TEST_F(ProbeCli, ByPool_TheOsdsAreOne) {
  const Finished done =
      simulate({"latency=lognormal:10ms:0.3,osds=1,slow=0:3", "--by", "pool", "--rounds", "80"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("the pool read: "));
  const json document = shown();
  ASSERT_EQ(document["osds"].size(), 1U);
  EXPECT_TRUE(document["osds"][0]["osd"].is_null());
  ASSERT_GE(document["changes"].size(), 1U);
  const json& change = document["changes"][0];
  EXPECT_EQ(change["subject"], "the pool");
  EXPECT_TRUE(change["osd"].is_null());
  EXPECT_TRUE(change["class"].is_null());
  EXPECT_NEAR(change["ratio"].get<double>(), 3, 0.6);
  EXPECT_EQ(probe({"--pool", "hdd", "--by", "pool", "--osd", "1"}).status, usage);
  EXPECT_EQ(probe({"--pool", "hdd", "--by", "host"}).status, usage);
}

TEST_F(ProbeCli, RunsForTheLast_ContinueTheHistory) {
  ASSERT_EQ(simulate({slow_model, "--rounds", "30"}).status, 0);
  ASSERT_EQ(simulate({slow_model, "--rounds", "20"}).status, 0);
  EXPECT_EQ(shown({"--days", "9"})["rounds"], 50);
}

TEST_F(ProbeCli, ShowOfSomeOsds_LeavesOutTheOthers) {
  ASSERT_EQ(simulate({slow_model, "--rounds", "5"}).status, 0);
  const json document = shown({"--osd", "0,2-3"});
  ASSERT_EQ(document["osds"].size(), 3U);
  EXPECT_EQ(document["osds"][1]["osd"], 2);
  EXPECT_EQ(probe({"show", "--osd", "class=hdd"}).status, usage);
}

TEST_F(ProbeCli, FailedOperations_AreCountedAndNeverZero) {
  const Finished done = simulate({"latency=const:1ms,osds=2,error=EIO:1", "--rounds", "3"});
  EXPECT_EQ(done.status, flawed) << "as a run with failed operations";
  const json document = shown();
  EXPECT_EQ(document["osds"][0]["read"]["failed"], 3);
  EXPECT_TRUE(document["osds"][0]["read"]["usual_us"].is_null());
  EXPECT_TRUE(document["osds"][0]["write"]["last_us"].is_null());
}

TEST_F(ProbeCli, KilledAtAnyTime_LosesTheRoundUnderWayOnly) {
  std::uint64_t before = 0;
  for (const int ms : {150, 270, 430}) {
    Process probing(
        launch({"--target", "sim", "--sim", real_model, "--interval", "100ms", "--force"}));
    // The lock of the one before is gone with it.
    const std::uint64_t bytes = history_bytes();
    EXPECT_TRUE(history_grows_from(bytes));
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    probing.signal(SIGKILL);
    EXPECT_EQ(probing.wait().status, 128 + SIGKILL);
    const json document = shown();
    EXPECT_GT(document["rounds"].get<std::uint64_t>(), before);
    EXPECT_EQ(document["unreadable_lines"], 0);
    before = document["rounds"];
  }
}

TEST_F(ProbeCli, CtrlC_EndsItAndShowsWhatItFound) {
  Process probing(
      launch({"--target", "sim", "--sim", real_model, "--interval", "100ms", "--force"}));
  EXPECT_TRUE(history_grows_from(0));
  probing.signal(SIGTERM);
  const Finished done = probing.wait();
  EXPECT_EQ(done.status, interrupted);
  EXPECT_LT(done.seconds, 10);
  EXPECT_THAT(done.out, AllOf(HasSubstr("rounds"), HasSubstr("no change was found")));
}

TEST_F(ProbeCli, SecondProbe_IsRefusedWhileTheFirstWritesTheHistory) {
  Process first(launch({"--target", "sim", "--sim", real_model, "--interval", "100ms", "--force"}));
  EXPECT_TRUE(first.wait_for("the lock", [&] { return fs::exists(folder() / "lock"); }));
  const Finished second = simulate({slow_model, "--rounds", "1"});
  EXPECT_EQ(second.status, refused);
  EXPECT_THAT(second.err, HasSubstr("another 'radosload probe'"));
  first.signal(SIGINT);
  EXPECT_EQ(first.wait().status, interrupted);
}

TEST_F(ProbeCli, CommandForAChange_GetsItsWordsQuoted) {
  const std::string file = in_state("changes").string();
  const Finished done = simulate({slow_model, "--rounds", "80", "--exec",
                                  "echo {subject}/{osd}/{op}/{ratio}/{text} >> " + file});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(read_file(file), AllOf(HasSubstr("osd.3/3/read/"), HasSubstr("; compared with 7")));
}

TEST_F(ProbeCli, CommandThatFails_IsReportedAndEndsNothing) {
  const Finished done = simulate({slow_model, "--rounds", "80", "--exec", "exit 3"});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.err, HasSubstr("the command of --exec failed (status 3)"));
}

std::string scrape(std::uint16_t port) {
  const base::Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
    return "";
  const std::string request = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
  ::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL);
  std::string answer;
  std::array<char, 4096> bytes{};
  for (ssize_t got = 1; got > 0;) {
    got = ::recv(socket.get(), bytes.data(), bytes.size(), 0);
    if (got > 0) answer.append(bytes.data(), static_cast<std::size_t>(got));
  }
  return answer;
}

// A port that nothing uses at the moment.
std::uint16_t free_port() {
  const base::Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket.get(), any, size) != 0 || ::getsockname(socket.get(), any, &size) != 0)
    return 0;
  return ntohs(address.sin_port);
}

TEST_F(ProbeCli, Metrics_AreServedWhileItProbes) {
  const std::uint16_t port = free_port();
  Process probing(launch({"--target", "sim", "--sim", real_model, "--interval", "100ms", "--force",
                          "--listen", std::to_string(port)}));
  ASSERT_TRUE(probing.wait_for_output("/metrics"));
  std::string answer;
  const auto has_every_osd = [&] {
    answer = scrape(port);
    return contains(answer, "osd=\"3\"");
  };
  EXPECT_TRUE(probing.wait_for("the metrics of every OSD", has_every_osd));
  EXPECT_THAT(answer,
              AllOf(HasSubstr("HTTP/1.1 200 OK"), HasSubstr("radosload_probe_osds{pool=\"sim\"} 4"),
                    HasSubstr("radosload_probe_latency_seconds{pool=\"sim\",osd=\"3\"")));
  probing.signal(SIGTERM);
  const Finished done = probing.wait();
  EXPECT_EQ(done.status, interrupted);
  EXPECT_THAT(done.err, HasSubstr("http://127.0.0.1:" + std::to_string(port) + "/metrics"));
}

TEST_F(ProbeCli, PortInUse_IsRefusedBeforeTheFirstRound) {
  const base::Descriptor taken(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(::bind(taken.get(), any, size), 0);
  ASSERT_EQ(::listen(taken.get(), 1), 0);
  ASSERT_EQ(::getsockname(taken.get(), any, &size), 0);
  const std::string port = std::to_string(ntohs(address.sin_port));
  const Finished done = simulate({slow_model, "--rounds", "1", "--listen", port});
  EXPECT_EQ(done.status, refused);
  EXPECT_THAT(done.err, HasSubstr(port));
}

// Files may not grow beyond 4 KiB, as on a full disk. A new day has a new file, which is written
// until it is full too, so the rounds are of seconds: those of hours would often pass midnight.
TEST_F(ProbeCli, FullDisk_LosesRoundsButEndsNothingAndIsSaidOnce) {
  const std::string line = "ulimit -f 4; trap '' XFSZ; exec '" + radosload_path() +
                           "' probe --target sim --sim latency=const:1ms,osds=8 --rounds 80"
                           " --interval 100ms --force";
  const Finished done =
      run({.words = {"bash", "-c", line}, .env = env_without_cluster(in_state("").parent_path())});
  EXPECT_EQ(done.status, 0) << done.err;
  const std::string unwritten = "cannot write to";
  std::size_t said = 0;
  for (std::size_t at = done.err.find(unwritten); at != std::string::npos;
       at = done.err.find(unwritten, at + 1)) {
    ++said;
  }
  EXPECT_GE(said, 1U) << done.err;
  EXPECT_LE(said, files_of_history()) << done.err;
  const json document = shown();
  EXPECT_GT(document["rounds"], 5);
  EXPECT_LT(document["rounds"], 80);
  EXPECT_EQ(document["unreadable_lines"], 0) << "no line is torn";
}

TEST_F(ProbeCli, TooOften_IsRefusedWithTheIntervalThatFits) {
  const Finished done = simulate({slow_model, "--rounds", "1", "--interval", "1m"});
  EXPECT_EQ(done.status, refused);
  EXPECT_THAT(done.err, AllOf(HasSubstr("limit 0.1 %"), HasSubstr("--interval 247s")));
}

TEST_F(ProbeCli, InvalidWords_AreUsageErrors) {
  const std::vector<std::pair<Words, std::string>> cases = {
      {{}, "--pool"},
      {{"--pool", "hdd", "--sim", "osds=3"}, "--target sim"},
      {{"--target", "sim"}, "--rounds"},
      {{"--target", "sim", "--rounds", "1", "--osd", "3"}, "--osd"},
      {{"--target", "sim", "--rounds", "1", "--interval", "10ms"}, "100 ms"},
      {{"--target", "sim", "--rounds", "1", "--reads", "0", "--writes", "0"}, "--reads"},
      {{"--target", "sim", "--rounds", "1", "--listen", "here"}, "--listen"},
      {{"--target", "null"}, "null"},
      {{"shows"}, "shows"},
      {{"show"}, "there is none"}};
  for (const auto& [words, said] : cases) {
    const Finished done = probe(words);
    EXPECT_EQ(done.status, usage) << done.err;
    EXPECT_THAT(done.err, HasSubstr(said));
    EXPECT_THAT(done.err, HasSubstr("\n  ")) << "what to do";
  }
}

TEST_F(ProbeCli, WithoutACluster_ItSaysSo) {
  const Finished done = probe({"--pool", "hdd", "--cluster", "nosuch"});
  EXPECT_EQ(done.status, no_cluster) << done.err;
}

}  // namespace
}  // namespace radosload::test
