// Ctrl-C and SIGTERM at random moments of a run, on every target that needs no cluster.

#include <csignal>
#include <filesystem>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

// From then on the program takes signals as something to be asked about.
bool blocks_signals(pid_t pid) {
  std::istringstream status(read_file("/proc/" + std::to_string(pid) + "/status"));
  std::string word;
  while (status >> word) {
    if (word != "SigBlk:") continue;
    unsigned long long mask = 0;
    status >> std::hex >> mask;
    return (mask >> (SIGTERM - 1) & 1U) != 0;
  }
  return false;
}

void wait_until_it_blocks_signals(const Process& process) {
  constexpr int patience = 30'000;
  for (int i = 0; i < patience && !blocks_signals(process.pid()); ++i) {
    std::this_thread::sleep_for(milliseconds(1));
  }
}

struct Where {
  const char* name;
  std::vector<std::string> words;
};

class SignalsCli : public testing::TestWithParam<std::tuple<Where, unsigned>> {
 protected:
  void expect_it_ends_in_order(int signal, milliseconds delay) {
    const auto saved = m_folder.path() / "run.json";
    std::vector<std::string> words = {
        radosload_path(), "--pattern", "randread4k,qd=4", "--time", "10h",
        "--warmup",       "0",         "--no-progress",   "--save", saved.string()};
    const auto& more = std::get<0>(GetParam()).words;
    words.insert(words.end(), more.begin(), more.end());
    Process process({.words = words, .env = {{"XDG_STATE_HOME", m_folder.path().string()}}});
    wait_until_it_blocks_signals(process);
    std::this_thread::sleep_for(delay);
    process.signal(signal);
    const Finished done = process.wait();
    ASSERT_EQ(done.status, interrupted) << done.err;
    const json record = json::parse(read_file(saved));
    EXPECT_EQ(record["status"], "interrupted");
    EXPECT_EQ(record["ended_by"], signal == SIGINT ? "SIGINT" : "SIGTERM");
    std::filesystem::remove(saved);
  }

  TemporaryFolder m_folder;
};

// In each case some moments of its own; together 210.
constexpr unsigned cases = 5;
constexpr unsigned times = 14;

INSTANTIATE_TEST_SUITE_P(
    Targets, SignalsCli,
    testing::Combine(
        testing::Values(Where{"virtual", {"--target", "sim", "--sim", "latency=const:100us"}},
                        Where{"threads",
                              {"--target", "sim", "--sim", "latency=const:100us,threads=2"}},
                        Where{"null", {"--target", "null"}}),
        testing::Range(0U, cases)),
    [](const auto& test) {
      return std::string(std::get<0>(test.param).name) + std::to_string(std::get<1>(test.param));
    });

TEST_P(SignalsCli, AtAnyMomentEndTheRunWith130AndARecord) {
  constexpr unsigned longest_ms = 300;
  const unsigned part = std::get<1>(GetParam());
  for (unsigned i = 0; i < times && !HasFailure(); ++i) {
    // Every part of the time has its moments.
    const unsigned delay = (i * cases + part) * longest_ms / (cases * times);
    expect_it_ends_in_order(i % 2 == 0 ? SIGINT : SIGTERM, milliseconds(delay));
  }
}

}  // namespace
}  // namespace radosload::test
