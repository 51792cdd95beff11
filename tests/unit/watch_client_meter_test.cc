// What the client takes of its machine, from the kernel's files in a folder of the test.
#include <fstream>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/files.h"
#include "support/places.h"
#include "watch/client_meter.h"

namespace radosload::watch {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

void write_link(const fs::path& net, const char* received, const char* sent, const char* speed) {
  const fs::path folder = net / "eth0";
  fs::create_directories(folder / "statistics");
  std::ofstream(folder / "statistics" / "rx_bytes") << received << "\n";
  std::ofstream(folder / "statistics" / "tx_bytes") << sent << "\n";
  if (speed != nullptr) std::ofstream(folder / "speed") << speed << "\n";
}

TEST(LinkCounters, AreReadFromTheKernel) {
  const test::TemporaryFolder net;
  write_link(net.path(), "1000", "2000", "10000");
  const auto link = read_link(net.path() / "eth0");
  ASSERT_TRUE(link);
  EXPECT_EQ(link->received, 1000U);
  EXPECT_EQ(link->sent, 2000U);
  EXPECT_EQ(link->mbit, 10'000U);
}

TEST(LinkCounters, SpeedOfLoopbackOrVirtualInterface_IsUnknown) {
  for (const char* const speed : {"-1", "0", "", static_cast<const char*>(nullptr)}) {
    const test::TemporaryFolder net;
    write_link(net.path(), "1000", "2000", speed);
    const auto link = read_link(net.path() / "eth0");
    ASSERT_TRUE(link);
    EXPECT_EQ(link->mbit, 0U);
  }
  EXPECT_FALSE(read_link(test::nowhere("eth0")));
}

TEST(AddressOfAClient, IsTheFirstOne) {
  EXPECT_EQ(host_in("10.0.0.7:0/2672751437"), "10.0.0.7");
  EXPECT_EQ(host_in("v1:10.0.0.7:0/12"), "10.0.0.7");
  EXPECT_EQ(host_in("[v2:10.0.0.7:0/12,v1:10.0.0.8:0/12]"), "10.0.0.7");
  EXPECT_EQ(host_in("v2:[fd00::7]:0/12"), "fd00::7");
  EXPECT_EQ(host_in("[fd00::7]:0/12"), "fd00::7");
  for (const char* const text : {"", "-", "[", "v2:", "[v2:[", "nobody"}) {
    EXPECT_EQ(host_in(text), "") << text;
  }
}

TEST(InterfaceWithAnAddress, IsFound) {
  EXPECT_EQ(interface_with("127.0.0.1"), "lo");
  EXPECT_EQ(interface_with("192.0.2.1"), "") << "of documentation";
  EXPECT_EQ(interface_with(""), "");
}

TEST(ClientMeter, CountsFromTheBeginToTheEndOfTheMeasuredPhase) {
  const test::TemporaryFolder net;
  ClientMeter meter("eth0", {}, 4, net.path());
  write_link(net.path(), "10", "10", "1000");
  meter.enter(Phase::warmup);
  write_link(net.path(), "1000", "2000", "1000");
  meter.enter(Phase::measure);
  write_link(net.path(), "1500", "9000", "1000");
  meter.enter(Phase::drain);
  write_link(net.path(), "99999", "99999", "1000");
  const auto load = meter.finish();
  EXPECT_EQ(load.interface, "eth0");
  EXPECT_EQ(load.received, 500U);
  EXPECT_EQ(load.sent, 7000U);
  EXPECT_EQ(load.link_mbit, 1000U);
  EXPECT_EQ(load.cpus, 4U);
  EXPECT_FALSE(load.counters);
  EXPECT_THAT(load.missing, HasSubstr("no admin socket"));
}

void write_thread(const std::filesystem::path& threads, const std::string& id,
                  const std::string& text) {
  std::filesystem::create_directories(threads / id);
  std::ofstream(threads / id / "schedstat") << text;
}

TEST(CpuWait, IsTheSumOverThreads) {
  const test::TemporaryFolder threads;
  EXPECT_FALSE(read_cpu_wait(threads.path())) << "no thread at all";
  write_thread(threads.path(), "12", "500 1000 3\n");
  write_thread(threads.path(), "13", "500 250 3\n");
  write_thread(threads.path(), "14", "ended\n");
  EXPECT_EQ(read_cpu_wait(threads.path()), Time(1250));
  EXPECT_FALSE(read_cpu_wait(test::nowhere("task")));
  EXPECT_TRUE(read_cpu_wait("/proc/self/task"));
}

TEST(ClientMeter, CpuWaitIsThatOfTheMeasuredPhase) {
  const test::TemporaryFolder threads;
  ClientMeter meter("", {}, 4, test::nowhere("net"), threads.path());
  write_thread(threads.path(), "12", "0 1000 1\n");
  meter.enter(Phase::measure);
  write_thread(threads.path(), "12", "0 5000 1\n");
  meter.enter(Phase::drain);
  write_thread(threads.path(), "12", "0 9000 1\n");
  EXPECT_EQ(meter.finish().cpu_wait, Time(4000));
}

TEST(ClientMeter, NothingMeasured_IsReported) {
  const std::string socket = test::nowhere("client.asok");
  ClientMeter meter("eth0", {socket}, 4);
  EXPECT_FALSE(meter.finish().missing.empty());
  meter.enter(Phase::measure);
  meter.enter(Phase::drain);
  const auto load = meter.finish();
  EXPECT_FALSE(load.counters);
  EXPECT_THAT(load.missing, HasSubstr(socket));
}

}  // namespace
}  // namespace radosload::watch
