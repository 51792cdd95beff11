// What a probe of many OSDs costs beside its operations: the text of the metrics, which is made
// once a round; a scrape of it over HTTP; a round in the history; the search for changes. Prints a
// line of JSON with milliseconds.
//
// usage: probe_scrape FOLDER OSDS

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>

#include "base/descriptor.h"
#include "base/random.h"
#include "probe/change_finder.h"
#include "probe/history.h"
#include "probe/metrics.h"
#include "probe/metrics_server.h"

#include <fmt/format.h>

namespace {

using namespace radosload;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

probe::Round round_of(std::int32_t osds, Random& random, Time at) {
  probe::Round round{.at = at};
  for (std::int32_t osd = 0; osd < osds; ++osd) {
    probe::Visit visit{.target = {.osd = osd, .device_class = "hdd"}};
    for (const probe::Kind kind : probe::kinds) {
      const Time time(8'000'000 + static_cast<std::int64_t>(random.below(4'000'000)));
      visit.of(kind) = {.typical = time, .answered = 1};
      visit.responses[probe::index_of(kind)].assign(kind == probe::Kind::read ? 17 : 1, time);
    }
    round.visits.push_back(std::move(visit));
  }
  return round;
}

std::size_t scrape(std::uint16_t port) {
  const base::Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const any = reinterpret_cast<sockaddr*>(&address);  // NOLINT
  if (::connect(socket.get(), any, sizeof(address)) != 0) return 0;
  const std::string request = "GET /metrics HTTP/1.1\r\n\r\n";
  if (::send(socket.get(), request.data(), request.size(), 0) < 0) return 0;
  std::array<char, 65536> bytes{};
  std::size_t all = 0;
  for (ssize_t got = 1; got > 0; all += static_cast<std::size_t>(std::max<ssize_t>(got, 0))) {
    got = ::recv(socket.get(), bytes.data(), bytes.size(), 0);
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int wanted = 3;
  if (argc != wanted) return EXIT_FAILURE;
  const std::int32_t osds = std::atoi(argv[2]);
  Random random(1);
  probe::Metrics metrics;
  probe::ChangeFinder finder;
  auto history = probe::History::open(argv[1], {.pool = "hdd"}, {});
  auto server = probe::MetricsServer::start({.address = "127.0.0.1", .port = "0"});
  if (!history || !server) return EXIT_FAILURE;
  constexpr int rounds = 120;
  double find_ms = 0;
  double history_ms = 0;
  double text_ms = 0;
  for (int i = 0; i < rounds; ++i) {
    const auto round = round_of(osds, random, std::chrono::minutes(5) * i);
    auto began = Clock::now();
    finder.add(round);
    find_ms = ms_since(began);
    began = Clock::now();
    if (!history->append(round)) return EXIT_FAILURE;
    history_ms = ms_since(began);
    metrics.add(round);
    if (i + 1 < rounds) continue;
    began = Clock::now();
    std::string text = metrics.text({.pool = "hdd"}, finder.standing());
    text_ms = ms_since(began);
    (*server)->publish(std::move(text));
  }
  const auto began = Clock::now();
  const std::size_t bytes = scrape((*server)->port());
  const double scrape_ms = ms_since(began);
  fmt::print(
      R"({{"osds": {}, "bytes": {}, "scrape_ms": {:.2f}, "text_ms": {:.2f}, "find_ms": {:.2f}, "history_ms": {:.2f}}})"
      "\n",
      osds, bytes, scrape_ms, text_ms, find_ms, history_ms);
  return bytes > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
