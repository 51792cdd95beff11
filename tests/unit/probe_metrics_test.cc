// The metrics as text, their number on large clusters, and the server that sends them.
#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <regex>
#include <set>
#include <sstream>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "base/descriptor.h"
#include "probe/metrics.h"
#include "probe/metrics_server.h"
#include "support/files.h"
#include "support/places.h"

namespace radosload::probe {
namespace {

using std::chrono::microseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Visit answered_visit(std::int32_t osd, Time latency) {
  Visit visit{.target = {.osd = osd, .device_class = osd % 2 == 0 ? "hdd" : "ssd"}};
  for (const Kind kind : kinds) {
    visit.of(kind) = {.typical = latency, .answered = 1};
    visit.responses[index_of(kind)] = {latency};
  }
  return visit;
}

std::string text_of(const Metrics& metrics, const std::vector<Change>& standing = {}) {
  return metrics.text(
      {.pool = "hdd", .interval = std::chrono::minutes(5), .share_of_drive = 0.0007}, standing);
}

std::vector<std::string> samples_of(const std::string& text) {
  std::vector<std::string> samples;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) samples.push_back(line);
  }
  return samples;
}

Change change_of(std::int32_t osd) {
  return {.osd = osd, .device_class = osd < 0 ? "hdd" : "", .kind = Kind::read, .ratio = 1.5};
}

TEST(ProbeMetrics, RoundIsShown) {
  Metrics metrics;
  metrics.add(
      Round{.at = std::chrono::seconds(1000),
            .took = std::chrono::seconds(240),
            .missed = 2,
            .visits = {answered_visit(0, microseconds(8000)), answered_visit(1, microseconds(400))},
            .without_pgs = {7}});
  metrics.add(change_of(1));
  const std::string text = text_of(metrics, {change_of(1), change_of(-1)});
  for (
      const char* const line :
      {R"(radosload_probe_latency_seconds{pool="hdd",osd="0",device_class="hdd",op="read"} 0.008)",
       R"(radosload_probe_latency_seconds{pool="hdd",osd="1",device_class="ssd",op="write"} 0.0004)",
       R"(radosload_probe_failures_total{pool="hdd",osd="1",device_class="ssd",op="read"} 0)",
       R"(radosload_probe_rounds_total{pool="hdd"} 1)",
       R"(radosload_probe_missed_rounds_total{pool="hdd"} 2)",
       R"(radosload_probe_osds_without_pgs{pool="hdd"} 1)",
       R"(radosload_probe_changes_total{pool="hdd",op="read"} 1)",
       R"(radosload_probe_change_ratio{pool="hdd",osd="1",op="read"} 1.5)",
       R"(radosload_probe_class_change_ratio{pool="hdd",device_class="hdd",op="read"} 1.5)",
       R"(radosload_probe_interval_seconds{pool="hdd"} 300)"}) {
    EXPECT_THAT(text, HasSubstr(std::string("\n") + line + "\n"));
  }
}

TEST(ProbeMetrics, OfAWholePool_HaveNoOsd) {
  Metrics metrics;
  Visit visit = answered_visit(whole_pool, microseconds(8000));
  visit.target.device_class = "";
  metrics.add(Round{.visits = {visit}});
  Change change = change_of(whole_pool);
  change.device_class = "";
  const std::string text = text_of(metrics, {change});
  for (const char* const line :
       {R"(radosload_probe_latency_seconds{pool="hdd",osd="",device_class="",op="read"} 0.008)",
        R"(radosload_probe_change_ratio{pool="hdd",osd="",op="read"} 1.5)",
        R"(radosload_probe_osds{pool="hdd"} 0)"}) {
    EXPECT_THAT(text, HasSubstr(std::string("\n") + line + "\n"));
  }
  EXPECT_THAT(text, Not(HasSubstr("class_change_ratio{")));
}

TEST(ProbeMetrics, FailedOperation_IsCountedAndHasNoLatency) {
  Metrics metrics;
  Visit failed = answered_visit(3, microseconds(9000));
  failed.of(Kind::read) = {.failed = 2, .rc = -110};
  failed.responses[0].clear();
  metrics.add(Round{.visits = {failed}});
  const std::string text = text_of(metrics);
  EXPECT_THAT(
      text, Not(HasSubstr(R"(latency_seconds{pool="hdd",osd="3",device_class="ssd",op="read"})")));
  EXPECT_THAT(text,
              HasSubstr(R"(failures_total{pool="hdd",osd="3",device_class="ssd",op="read"} 2)"));
  EXPECT_THAT(text,
              HasSubstr(R"(response_seconds_count{pool="hdd",device_class="ssd",op="read"} 0)"));
}

TEST(ProbeMetrics, ClusterAway_ShowsNoLatencyAndKeepsTheCounters) {
  Metrics metrics;
  Visit failed = answered_visit(3, microseconds(9000));
  failed.of(Kind::read).failed = 1;
  metrics.add(Round{.visits = {failed}});
  metrics.add(Round{.error = "no answer"});
  const std::string text = text_of(metrics);
  EXPECT_THAT(text, Not(HasSubstr("radosload_probe_latency_seconds{")));
  EXPECT_THAT(text, HasSubstr("radosload_probe_failed_rounds_total{pool=\"hdd\"} 1"));
  EXPECT_THAT(text,
              HasSubstr(R"(failures_total{pool="hdd",osd="3",device_class="ssd",op="read"} 1)"));
}

TEST(ProbeMetrics, Histogram_CountsFromFiftyMicrosecondsUp) {
  Metrics metrics;
  metrics.add(Round{
      .visits = {answered_visit(0, microseconds(40)), answered_visit(2, microseconds(50)),
                 answered_visit(4, microseconds(51)), answered_visit(6, std::chrono::minutes(2))}});
  const std::string text = text_of(metrics);
  const std::string labels =
      R"(response_seconds_bucket{pool="hdd",device_class="hdd",op="read",le=)";
  EXPECT_THAT(text, HasSubstr(labels + "\"5e-05\"} 2"));
  EXPECT_THAT(text, HasSubstr(labels + "\"0.0001\"} 3"));
  EXPECT_THAT(text, HasSubstr(labels + "\"52.4288\"} 3"));
  EXPECT_THAT(text, HasSubstr(labels + "\"+Inf\"} 4"));
  EXPECT_THAT(text,
              HasSubstr(R"(response_seconds_count{pool="hdd",device_class="hdd",op="read"} 4)"));
}

TEST(ProbeMetrics, TenThousandOsds_HaveFourSeriesEach) {
  Metrics metrics;
  Round round;
  for (std::int32_t osd = 0; osd < 10'000; ++osd) {
    round.visits.push_back(answered_visit(osd, microseconds(9000 + osd)));
  }
  metrics.add(round);
  metrics.add(round);
  const std::vector<std::string> samples = samples_of(text_of(metrics));
  EXPECT_LE(samples.size(), 40'150U);
  const std::set<std::string> distinct = [&] {
    std::set<std::string> names;
    for (const std::string& sample : samples) names.insert(sample.substr(0, sample.rfind(' ')));
    return names;
  }();
  EXPECT_EQ(distinct.size(), samples.size()) << "no series twice";
}

TEST(ProbeMetrics, NamesOfPoolsAndClasses_AreEscaped) {
  Metrics metrics;
  Visit visit = answered_visit(0, microseconds(9000));
  visit.target.device_class = "a\"b\\c\nd";
  metrics.add(Round{.visits = {visit}});
  for (const std::string& sample : samples_of(text_of(metrics))) {
    EXPECT_THAT(sample, StartsWith("radosload_probe_")) << "one line each";
  }
  EXPECT_THAT(text_of(metrics), HasSubstr(R"(a\"b\\c)"));
}

// Metrics that a dashboard asks for and nobody serves would be empty panels.
TEST(ProbeMetrics, EveryMetricOfTheDashboard_Exists) {
  Metrics metrics;
  metrics.add(Round{.visits = {answered_visit(0, microseconds(9000))}});
  const std::string text = text_of(metrics, {change_of(1), change_of(-1)});
  const std::string dashboard =
      test::read_file(test::in_source("packaging/grafana/radosload-probe.json"));
  const std::regex name("radosload_probe_[a-z_]+");
  std::set<std::string> asked;
  for (std::sregex_iterator i(dashboard.begin(), dashboard.end(), name), end; i != end; ++i) {
    asked.insert(i->str());
  }
  EXPECT_GE(asked.size(), 8U);
  for (const std::string& one : asked) EXPECT_THAT(text, HasSubstr("\n" + one + "{")) << one;
}

// What the server answers to these bytes.
std::string ask(std::uint16_t port, const std::string& request) {
  const base::Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    return "refused";
  }
  ::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL);
  std::string answer;
  std::array<char, 65536> bytes{};
  for (ssize_t got = 1; got > 0;) {
    got = ::recv(socket.get(), bytes.data(), bytes.size(), 0);
    if (got > 0) answer.append(bytes.data(), static_cast<std::size_t>(got));
  }
  return answer;
}

std::unique_ptr<MetricsServer> any_server() {
  auto server = MetricsServer::start({.address = "127.0.0.1", .port = "0"});
  EXPECT_TRUE(server) << server.error().message();
  return *std::move(server);
}

TEST(MetricsServer, Get_IsAnsweredWithTheLatestTextAndItsType) {
  const auto server = any_server();
  server->publish("old 1\n");
  server->publish("new 2\n");
  const std::string answer =
      ask(server->port(), "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(
      answer,
      AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("Content-Type: text/plain; version=0.0.4"),
            HasSubstr("Content-Length: 6\r\n"), ::testing::EndsWith("\r\n\r\nnew 2\n")));
}

TEST(MetricsServer, LargeText_ArrivesWhole) {
  const auto server = any_server();
  const std::string text(8U << 20U, 'x');
  server->publish(text);
  const std::string answer = ask(server->port(), "GET /metrics HTTP/1.0\r\n\r\n");
  ASSERT_NE(answer.find("\r\n\r\n"), std::string::npos);
  EXPECT_TRUE(answer.substr(answer.find("\r\n\r\n") + 4) == text);
}

TEST(MetricsServer, OtherRequests_AreRefused) {
  const auto server = any_server();
  server->publish("secret 1\n");
  for (const auto& [request, status] : std::vector<std::pair<std::string, std::string>>{
           {"GET / HTTP/1.1\r\n\r\n", "404"},
           {"GET /metrics/../../etc/passwd HTTP/1.1\r\n\r\n", "404"},
           {"POST /metrics HTTP/1.1\r\n\r\n", "405"},
           {"\r\n\r\n", "400"},
           {"nonsense\n\n", "400"},
           {std::string(9000, 'a'), "431"}}) {
    const std::string answer = ask(server->port(), request);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 " + status)) << request.substr(0, 40);
    EXPECT_THAT(answer, Not(HasSubstr("secret")));
  }
  const std::string head = ask(server->port(), "HEAD /metrics HTTP/1.1\r\n\r\n");
  EXPECT_THAT(head, AllOf(StartsWith("HTTP/1.1 200"), ::testing::EndsWith("\r\n\r\n")));
}

TEST(MetricsServer, SilentClient_KeepsNobodyWaiting) {
  const auto server = any_server();
  server->publish("here 1\n");
  const base::Descriptor silent(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server->port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::connect(silent.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  ASSERT_EQ(::send(silent.get(), "GET", 3, 0), 3);
  EXPECT_THAT(ask(server->port(), "GET /metrics HTTP/1.1\r\n\r\n"), HasSubstr("here 1"));
}

TEST(MetricsServer, PortInUse_IsRefusedAndNamesIt) {
  const auto server = any_server();
  const auto second =
      MetricsServer::start({.address = "127.0.0.1", .port = std::to_string(server->port())});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().exit, Exit::refused);
  EXPECT_THAT(second.error().message(), HasSubstr(std::to_string(server->port())));
}

TEST(MetricsServer, Listening_IsParsed) {
  EXPECT_EQ(parse_listening("9925")->address, "127.0.0.1");
  EXPECT_EQ(parse_listening("0.0.0.0:9925")->address, "0.0.0.0");
  EXPECT_EQ(parse_listening("[::1]:9925")->address, "::1");
  for (const char* const wrong :
       {"", "x", "host:", ":9925", "1.2.3.4:99999", "1.2.3.4:-1", "9925x"}) {
    EXPECT_FALSE(parse_listening(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace radosload::probe
