#include "watch/client_meter.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <fstream>
#include <ifaddrs.h>
#include <memory>
#include <netinet/in.h>
#include <sys/socket.h>
#include <utility>

#include "base/processors.h"
#include "cluster/client_socket.h"
#include "observe/client_counters.h"

namespace radosload::watch {

namespace {

// The time limit for the socket of one client, which normally answers within milliseconds.
constexpr Time meter_patience = std::chrono::seconds(1);

std::optional<std::int64_t> number_from(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::int64_t value = 0;
  if (!(stream >> value)) return std::nullopt;
  return value;
}

Result<ClientCounters> count_clients(const std::vector<std::string>& sockets) {
  if (sockets.empty()) {
    return fail({.attempt = "read the counters of librados", .reason = "it has no admin socket"});
  }
  ClientCounters all;
  for (const std::string& socket : sockets) {
    RADOSLOAD_ASSIGN(const auto said,
                     cluster::ask_client(socket, R"({"prefix": "perf dump", "format": "json"})",
                                         meter_patience));
    RADOSLOAD_ASSIGN(const auto counters, observe::parse_client_counters(said));
    all = observe::sum(all, counters);
  }
  return all;
}

std::string host_of(const sockaddr& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = nullptr;
  if (address.sa_family == AF_INET) {
    bytes = &reinterpret_cast<const sockaddr_in&>(address).sin_addr;
  } else if (address.sa_family == AF_INET6) {
    bytes = &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  } else {
    return {};
  }
  if (::inet_ntop(address.sa_family, bytes, text.data(), text.size()) == nullptr) return {};
  return text.data();
}

}  // namespace

std::optional<LinkCounters> read_link(const std::filesystem::path& folder) {
  const auto received = number_from(folder / "statistics" / "rx_bytes");
  const auto sent = number_from(folder / "statistics" / "tx_bytes");
  if (!received || !sent || *received < 0 || *sent < 0) return std::nullopt;
  // An interface without a speed reports -1, or cannot be read.
  const auto speed = number_from(folder / "speed").value_or(-1);
  return LinkCounters{.received = static_cast<std::uint64_t>(*received),
                      .sent = static_cast<std::uint64_t>(*sent),
                      .mbit = speed > 0 ? static_cast<std::uint64_t>(speed) : 0};
}

std::optional<Time> read_cpu_wait(const std::filesystem::path& threads) {
  std::error_code error;
  Time sum{0};
  bool any = false;
  for (std::filesystem::directory_iterator thread(threads, error), end; !error && thread != end;
       thread.increment(error)) {
    // Nanoseconds on a CPU, nanoseconds of waiting for one, time slices. A thread may just have
    // ended.
    std::ifstream stream(thread->path() / "schedstat");
    std::int64_t ran = 0;
    std::int64_t waited = 0;
    if (!(stream >> ran >> waited) || waited < 0) continue;
    sum += Time(waited);
    any = true;
  }
  if (!any) return std::nullopt;
  return sum;
}

std::string host_in(const std::string& addresses) {
  std::string_view text = addresses;
  if (text.starts_with('[') && text.find('v') == 1) text.remove_prefix(1);
  text = text.substr(0, text.find_first_of(", "));
  for (const std::string_view type : {"v1:", "v2:", "any:"}) {
    if (text.starts_with(type)) text.remove_prefix(type.size());
  }
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    return end == std::string_view::npos ? "" : std::string(text.substr(1, end - 1));
  }
  const std::size_t colon = text.find(':');
  return colon == std::string_view::npos ? "" : std::string(text.substr(0, colon));
}

std::string interface_with(const std::string& host) {
  ifaddrs* first = nullptr;
  if (host.empty() || ::getifaddrs(&first) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(first, &::freeifaddrs);
  for (const ifaddrs* one = first; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr != nullptr && host_of(*one->ifa_addr) == host) return one->ifa_name;
  }
  return {};
}

ClientMeter::ClientMeter(std::string interface, std::vector<std::string> sockets, unsigned cpus,
                         std::filesystem::path net, std::filesystem::path threads)
    : m_interface(std::move(interface)),
      m_sockets(std::move(sockets)),
      m_cpus(cpus),
      m_net(std::move(net)),
      m_threads(std::move(threads)) {}

ClientMeter::Moment ClientMeter::sample() const {
  Moment moment;
  if (!m_interface.empty()) moment.link = read_link(m_net / m_interface);
  moment.cpu_wait = read_cpu_wait(m_threads);
  // The sockets may answer late when the machine is busy.
  moment.counters = std::async(std::launch::async, count_clients, m_sockets);
  return moment;
}

void ClientMeter::enter(Phase phase) {
  if (phase == Phase::measure && !m_begin) m_begin = sample();
  if (phase == Phase::drain && m_begin && !m_end) m_end = sample();
}

record::ClientLoad ClientMeter::finish() {
  record::ClientLoad load{.cpus = m_cpus};
  if (!m_begin || !m_end) {
    load.missing = "nothing was measured";
    return load;
  }
  if (m_begin->link && m_end->link) {
    const LinkCounters& before = *m_begin->link;
    const LinkCounters& after = *m_end->link;
    load.interface = m_interface;
    load.received = after.received - std::min(before.received, after.received);
    load.sent = after.sent - std::min(before.sent, after.sent);
    load.link_mbit = after.mbit;
  }
  if (m_begin->cpu_wait && m_end->cpu_wait) {
    // A thread that ended in between takes its time with it.
    load.cpu_wait = std::max(Time(0), *m_end->cpu_wait - *m_begin->cpu_wait);
  }
  const auto before = m_begin->counters.get();
  const auto after = m_end->counters.get();
  if (before && after) {
    load.counters = observe::growth(*before, *after);
    load.clients = static_cast<std::uint32_t>(m_sockets.size());
  } else {
    load.missing = one_line(before ? after.error() : before.error());
  }
  return load;
}

ClientMeter meter_clients(const prepare::ClusterSession& session) {
  const auto& connection = session.lanes.front().connection;
  const std::string addresses = connection ? connection->rados().get_addrs() : std::string();
  return {interface_with(host_in(addresses)), session.client_sockets, usable_processors()};
}

}  // namespace radosload::watch
