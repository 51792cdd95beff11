// How often the clients are asked where their operations go, when they take long to say it.
#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/wait_for.h"
#include "watch/route_sampler.h"

namespace radosload::watch {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

// The admin socket of a client that answers every question alike, after some time.
class SlowClient {
 public:
  SlowClient(std::string path, std::string answer, milliseconds takes)
      : m_path(std::move(path)), m_answer(std::move(answer)), m_takes(takes) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy(m_path.begin(), m_path.end(), std::begin(address.sun_path));
    m_socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::bind(m_socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::listen(m_socket, 4), 0);
    m_server = std::jthread([this](const std::stop_token& end) { serve(end); });
  }
  ~SlowClient() {
    m_server.request_stop();
    m_server.join();
    ::close(m_socket);
  }
  SlowClient(const SlowClient&) = delete;
  SlowClient& operator=(const SlowClient&) = delete;
  SlowClient(SlowClient&&) = delete;
  SlowClient& operator=(SlowClient&&) = delete;

  const std::string& path() const { return m_path; }
  int asked() const { return m_asked; }

 private:
  void serve(const std::stop_token& end) {
    while (!end.stop_requested()) {
      pollfd wait{.fd = m_socket, .events = POLLIN, .revents = 0};
      constexpr int patience_ms = 10;
      if (::poll(&wait, 1, patience_ms) <= 0) continue;
      const int connection = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC);
      ++m_asked;
      std::array<char, 256> question{};
      EXPECT_GT(::recv(connection, question.data(), question.size(), 0), 0);
      std::this_thread::sleep_for(m_takes);
      const std::uint32_t size = htonl(static_cast<std::uint32_t>(m_answer.size()));
      EXPECT_GT(::send(connection, &size, sizeof size, MSG_NOSIGNAL), 0);
      ::send(connection, m_answer.data(), m_answer.size(), MSG_NOSIGNAL);
      ::close(connection);
    }
  }

  std::string m_path;
  std::string m_answer;
  milliseconds m_takes;
  int m_socket = -1;
  std::atomic<int> m_asked{0};
  std::jthread m_server;
};

class RouteSamplerTest : public ::testing::Test {
 protected:
  std::string socket() const { return (m_folder.path() / "c").string(); }
  static RouteSampler sampler_of(const SlowClient& client) {
    prepare::ObjectNaming names{.name_of = {}, .prefixes = {"ours."}, .pool = 2};
    names.pg_of = [](const std::string&) { return 0U; };
    const auto locations =
        std::make_shared<ObjectPlacement>(std::vector<std::uint64_t>(), std::vector{0U}, 1U);
    locations->move(0, 3);
    return {{client.path()}, std::move(names), locations, {3}, 1};
  }
  static constexpr const char* one_of_ours =
      R"({"ops": [{"osd": 3, "object_id": "ours.1", "pg": "2.7fc1f406", "attempts": 1,
          "paused": false}]})";

  test::TemporaryFolder m_folder;
};

// A lane is held up while its client lists its operations: for 20 ms here, or longer. So nobody may
// ask again before 40 s have passed.
TEST_F(RouteSamplerTest, AClientThatTakesLongIsAskedTwoThousandTimesLessOften) {
  const SlowClient client(socket(), one_of_ours, milliseconds(20));
  RouteSampler sampler = sampler_of(client);
  EXPECT_FALSE(sampler.poll(Time(0)));
  ASSERT_TRUE(test::wait_for("a sample", [&] { return sampler.poll(milliseconds(500)); }));
  for (int second = 1; second < 40; ++second) {
    EXPECT_FALSE(sampler.poll(seconds(second))) << second;
    std::this_thread::sleep_for(milliseconds(2));
  }
  EXPECT_EQ(client.asked(), 1);
  EXPECT_TRUE(test::wait_for("the next sample", [&] { return sampler.poll(hours(10)); }));
  EXPECT_EQ(client.asked(), 2);
  record::Routing routing;
  sampler.finish(routing, {});
  EXPECT_EQ(record::sampled(routing), 2U);
}

TEST_F(RouteSamplerTest, WhereNothingWasInFlightTheNextSampleIsASecondLater) {
  const SlowClient client(socket(), R"({"ops": []})", milliseconds(20));
  RouteSampler sampler = sampler_of(client);
  sampler.poll(Time(0));
  ASSERT_TRUE(test::wait_for("a sample", [&] { return sampler.poll(milliseconds(500)); }));
  EXPECT_TRUE(test::wait_for("the next sample", [&] { return sampler.poll(seconds(1)); }));
  EXPECT_EQ(client.asked(), 2);
}

}  // namespace
}  // namespace radosload::watch
