#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "cluster/bounded_call.h"
#include "cluster/ceph_args.h"

namespace radosload::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(BoundedCall, GivesTheValueOfACallThatEnds) {
  EXPECT_EQ(value_within<int>(seconds(10), [] { return 7; }), 7);
  EXPECT_EQ(abandoned_calls(), 0);
}

TEST(BoundedCall, GivesUpACallThatDoesNotEndAndForgetsItWhenItDoes) {
  struct Gate {
    std::mutex mutex;
    std::condition_variable opened;
    bool open = false;
  };
  auto gate = std::make_shared<Gate>();
  const auto value = value_within<int>(milliseconds(30), [gate] {
    std::unique_lock lock(gate->mutex);
    gate->opened.wait(lock, [&] { return gate->open; });
    return 7;
  });
  EXPECT_FALSE(value);
  EXPECT_EQ(abandoned_calls(), 1);
  {
    const std::lock_guard lock(gate->mutex);
    gate->open = true;
  }
  gate->opened.notify_all();
  for (int i = 0; i < 1000 && abandoned_calls() > 0; ++i) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  EXPECT_EQ(abandoned_calls(), 0);
}

TEST(CephArgs, FillInWhatTheCommandLineLeftOpen) {
  const ClusterOptions options =
      with_ceph_args({}, "--id lab -c /x/ceph.conf --keyring=/x/key -m 127.0.0.1 --cluster other");
  EXPECT_EQ(options.name, "client.lab");
  EXPECT_EQ(options.conf, "/x/ceph.conf");
  EXPECT_EQ(options.keyring, "/x/key");
  EXPECT_EQ(options.mon_host, "127.0.0.1");
  EXPECT_EQ(options.cluster, "other");
}

TEST(CephArgs, NeverOverruleTheCommandLine) {
  ClusterOptions given;
  given.name = "client.mine";
  EXPECT_EQ(with_ceph_args(given, "-n client.other").name, "client.mine");
}

TEST(CephArgs, LeaveTheWordsOfLibradosAlone) {
  const ClusterOptions options = with_ceph_args({}, "--debug-ms 1 --id");
  EXPECT_EQ(options.name, "");
}

}  // namespace
}  // namespace radosload::cluster
