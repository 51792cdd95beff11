#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <iterator>
#include <mutex>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "cluster/bounded_call.h"
#include "cluster/ceph_args.h"
#include "cluster/client_socket.h"
#include "support/files.h"
#include "support/places.h"
#include "support/wait_for.h"

namespace radosload::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A call that was given up ends in its own time.
testing::AssertionResult none_abandoned() {
  return test::wait_for("abandoned calls to end", [] { return abandoned_calls() == 0; });
}

TEST(BoundedCall, GivesTheValueOfACallThatEnds) {
  EXPECT_EQ(value_within<int>(seconds(10), [] { return 7; }), 7);
  EXPECT_EQ(abandoned_calls(), 0);
}

TEST(BoundedCall, CallThatHangs_TimesOutAndIsForgottenWhenItEnds) {
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
  EXPECT_TRUE(none_abandoned());
}

TEST(BoundedCall, AbandonedQuestion_IsNotCountedAsWork) {
  std::promise<void> end;
  const auto held = std::make_shared<std::shared_future<void>>(end.get_future().share());
  EXPECT_FALSE(call_within(
      milliseconds(10), [held] { held->wait(); }, CallKind::question));
  EXPECT_EQ(abandoned_calls(), 1);
  EXPECT_EQ(abandoned_work(), 0) << "an image that it might hold open need not be left behind";
  end.set_value();
  EXPECT_TRUE(none_abandoned());
}

int bound_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(std::begin(address.sun_path), sizeof(address.sun_path) - 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0) << path;
  EXPECT_EQ(::listen(fd, 1), 0);
  return fd;
}

TEST(ClientSockets, FolderIsRemovedWithItsSockets) {
  const test::TemporaryFolder parent;
  std::filesystem::path path;
  {
    const auto folder = SocketFolder::make_in({test::nowhere("sockets"), parent.path()});
    ASSERT_TRUE(folder) << folder.error().message();
    path = (*folder)->path();
    EXPECT_EQ(path.parent_path(), parent.path());
    ::close(bound_socket((*folder)->socket(0)));
    EXPECT_NE((*folder)->socket(0), (*folder)->socket(1));
    EXPECT_TRUE(std::filesystem::exists((*folder)->socket(0)));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ClientSockets, OfAKilledProcess_AreRemovedByTheNextProcess) {
  const test::TemporaryFolder parent;
  const auto left = parent.path() / "radosload-sockets-abcdef";
  const auto foreign = parent.path() / "radosload-sockets-foreign";
  std::filesystem::create_directory(left);
  std::filesystem::create_directory(foreign);
  ::close(bound_socket(left / "0.asok"));
  test::write_file(foreign / "notes", "of somebody");
  const auto living = SocketFolder::make_in({parent.path()});
  ASSERT_TRUE(living);
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(foreign / "notes")) << "only sockets are ours to remove";
  const auto other = SocketFolder::make_in({parent.path()});
  ASSERT_TRUE(other);
  EXPECT_TRUE(std::filesystem::exists((*living)->path())) << "its process lives";
}

TEST(ClientSockets, UnusableFolder_ErrorNamesTmpdir) {
  const auto folder =
      SocketFolder::make_in({test::nowhere("sockets"), "/" + std::string(100, 'x')});
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message().find("TMPDIR"), std::string::npos);
}

TEST(ClientSockets, AreNeverMadeInTheCurrentFolder) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", test::nowhere("tmp").c_str(), 1);
  const auto folder = SocketFolder::make();
  if (before == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", kept.c_str(), 1);
  }
  ASSERT_TRUE(folder);
  EXPECT_TRUE((*folder)->path().is_absolute()) << (*folder)->path();
}

TEST(ClientSockets, AnAnswerComesWithItsLengthInFront) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "0.asok").string();
  const int listening = bound_socket(path);
  std::string heard;
  std::jthread client([&] {
    const int fd = ::accept(listening, nullptr, nullptr);
    for (char byte = 1; ::read(fd, &byte, 1) == 1 && byte != 0;) heard += byte;
    constexpr std::string_view answer("\0\0\0\3{ }", 7);
    EXPECT_EQ(::write(fd, answer.data(), answer.size()), 7);
    ::close(fd);
  });
  const auto answer = ask_client(path, "what", seconds(10));
  client.join();
  ::close(listening);
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(*answer, "{ }");
  EXPECT_EQ(heard, "what");
}

TEST(ClientSockets, SilentClient_TimesOut) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "0.asok").string();
  const int listening = bound_socket(path);
  const auto answer = ask_client(path, "what", milliseconds(20));
  ::close(listening);
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message().find("no answer within"), std::string::npos);
  EXPECT_FALSE(ask_client(path + ".not-there", "what", seconds(1)));
}

TEST(CephArgs, SetOptionsThatTheCommandLineLacks) {
  const ClusterOptions options =
      with_ceph_args({}, "--id lab -c /x/ceph.conf --keyring=/x/key -m 127.0.0.1 --cluster other");
  EXPECT_EQ(options.name, "client.lab");
  EXPECT_EQ(options.conf, "/x/ceph.conf");
  EXPECT_EQ(options.keyring, "/x/key");
  EXPECT_EQ(options.mon_host, "127.0.0.1");
  EXPECT_EQ(options.cluster, "other");
}

TEST(CephArgs, DoNotOverrideTheCommandLine) {
  ClusterOptions given;
  given.name = "client.mine";
  EXPECT_EQ(with_ceph_args(given, "-n client.other").name, "client.mine");
}

TEST(CephArgs, OptionsOfLibrados_AreIgnored) {
  const ClusterOptions options = with_ceph_args({}, "--debug-ms 1 --id");
  EXPECT_EQ(options.name, "");
}

}  // namespace
}  // namespace radosload::cluster
