#include "probe/metrics_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "radosload/printable.h"
#include "radosload/units.h"

#include <fmt/format.h>

namespace radosload::probe {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t most_clients = 32;
constexpr std::size_t most_request = 8192;
// A client that has not sent its request, or taken its answer, by then is cut off.
constexpr auto patience = std::chrono::seconds(10);
constexpr int backlog = 16;

std::string response(std::string_view status, std::string_view type, const std::string& body,
                     bool with_body) {
  std::string text = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", status,
      type, body.size());
  if (with_body) text += body;
  return text;
}

tl::unexpected<Error> cannot_listen(const Listening& where, std::string reason, int errnum) {
  const bool taken = errnum == EADDRINUSE;
  return fail({.attempt = "serve metrics on",
               .subject = fmt::format("{}:{}", printable(where.address), printable(where.port)),
               .reason = std::move(reason),
               .hint = taken ? "end what uses this port, or choose another with --listen"
                             : "write for example --listen 127.0.0.1:9925",
               .errnum = errnum,
               .exit = taken || errnum == EACCES ? Exit::refused : Exit::usage});
}

std::uint16_t port_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  // The interface of sockets distinguishes address families by their first member.
  auto* const any = reinterpret_cast<sockaddr*>(&address);  // NOLINT
  if (::getsockname(socket, any, &size) != 0) return 0;
  if (address.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<sockaddr_in6*>(&address)->sin6_port);  // NOLINT
  }
  return ntohs(reinterpret_cast<sockaddr_in*>(&address)->sin_port);  // NOLINT
}

}  // namespace

struct MetricsServer::Client {
  base::Descriptor socket;
  SteadyClock::time_point until;
  std::string request = {};
  std::string answer = {};
  std::size_t sent = 0;
  bool over = false;
};

Result<Listening> parse_listening(const std::string& text) {
  Listening where;
  const std::size_t colon = text.rfind(':');
  where.port = colon == std::string::npos ? text : text.substr(colon + 1);
  if (colon != std::string::npos) where.address = text.substr(0, colon);
  if (where.address.starts_with('[') && where.address.ends_with(']')) {
    where.address = where.address.substr(1, where.address.size() - 2);
  }
  constexpr std::uint64_t most_port = 65535;
  const auto port = parse_count(where.port);
  const bool digits = where.port.find_first_not_of("0123456789") == std::string::npos;
  if (port && digits && *port <= most_port && !where.address.empty()) return where;
  return fail({.attempt = fmt::format("use --listen {}", printable(text)),
               .reason = "it is not a port, or an address and a port",
               .hint = "write for example --listen 127.0.0.1:9925",
               .exit = Exit::usage});
}

Result<std::unique_ptr<MetricsServer>> MetricsServer::start(const Listening& where) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(where.address.c_str(), where.port.c_str(), &hints, &found) != 0) {
    return cannot_listen(where, "it is not the number of an address", 0);
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  base::Descriptor listener(
      ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;
  if (!listener.valid() ||
      ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
      ::bind(listener.get(), found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(listener.get(), backlog) != 0) {
    return cannot_listen(where, "", errno);
  }
  base::Descriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.valid()) return cannot_listen(where, "", errno);
  const std::uint16_t port = port_of(listener.get());
  std::unique_ptr<MetricsServer> server(
      new MetricsServer(std::move(listener), std::move(wake), port));
  server->m_thread = std::thread([server = server.get()] { server->serve(); });
  return server;
}

MetricsServer::MetricsServer(base::Descriptor listener, base::Descriptor wake, std::uint16_t port)
    : m_listener(std::move(listener)),
      m_wake(std::move(wake)),
      m_port(port),
      m_text(std::make_shared<const std::string>()) {}

MetricsServer::~MetricsServer() {
  const std::uint64_t one = 1;
  // An eventfd of 0 always takes a 1.
  static_cast<void>(!::write(m_wake.get(), &one, sizeof(one)));
  if (m_thread.joinable()) m_thread.join();
}

void MetricsServer::publish(std::string text) {
  auto shared = std::make_shared<const std::string>(std::move(text));
  const std::lock_guard lock(m_mutex);
  m_text = std::move(shared);
}

void MetricsServer::serve() {
  std::vector<Client> clients;
  for (;;) {
    std::vector<pollfd> polled;
    const bool room = clients.size() < most_clients;
    polled.push_back({.fd = m_wake.get(), .events = POLLIN, .revents = 0});
    polled.push_back({.fd = room ? m_listener.get() : -1, .events = POLLIN, .revents = 0});
    for (const Client& client : clients) {
      const auto wanted = static_cast<short>(client.answer.empty() ? POLLIN : POLLOUT);
      polled.push_back({.fd = client.socket.get(), .events = wanted, .revents = 0});
    }
    constexpr int look_again_ms = 1000;
    const int ready = ::poll(polled.data(), polled.size(), clients.empty() ? -1 : look_again_ms);
    if (ready < 0 && errno != EINTR) return;
    if (polled[0].revents != 0) return;
    for (std::size_t i = 0; i < clients.size(); ++i) {
      if (polled[i + 2].revents != 0) receive(clients[i]);
    }
    const auto now = SteadyClock::now();
    std::erase_if(clients, [&](const Client& one) { return one.over || one.until < now; });
    if (polled[1].revents != 0) accept_one(clients);
  }
}

void MetricsServer::accept_one(std::vector<Client>& clients) {
  base::Descriptor socket(
      ::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket.valid()) {
    // Without descriptors the connection stays in the queue, and poll() returns at once.
    if (errno == EMFILE || errno == ENFILE) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return;
  }
  clients.push_back({.socket = std::move(socket), .until = SteadyClock::now() + patience});
}

// Takes a part of the request, or sends a part of the answer.
void MetricsServer::receive(Client& client) const {
  if (client.answer.empty()) {
    std::array<char, most_request> bytes{};
    const ssize_t got = ::recv(client.socket.get(), bytes.data(), bytes.size(), 0);
    if (got <= 0) {
      client.over = got == 0 || (errno != EAGAIN && errno != EINTR);
      return;
    }
    client.request.append(bytes.data(), static_cast<std::size_t>(got));
    if (client.request.find("\r\n\r\n") != std::string::npos ||
        client.request.find("\n\n") != std::string::npos) {
      client.answer = answer_to(client.request);
    } else if (client.request.size() >= most_request) {
      client.answer = response("431 Request Header Fields Too Large", "text/plain",
                               "the request is too long\n", true);
    }
    if (client.answer.empty()) return;
  }
  const ssize_t sent = ::send(client.socket.get(), client.answer.data() + client.sent,
                              client.answer.size() - client.sent, MSG_NOSIGNAL);
  if (sent < 0) {
    client.over = errno != EAGAIN && errno != EINTR;
    return;
  }
  client.sent += static_cast<std::size_t>(sent);
  client.over = client.sent == client.answer.size();
}

std::string MetricsServer::answer_to(const std::string& request) const {
  constexpr std::string_view plain = "text/plain; charset=utf-8";
  const std::size_t first = request.find(' ');
  const std::size_t second = request.find_first_of(" \r\n?", first + 1);
  if (first == std::string::npos || second == std::string::npos) {
    return response("400 Bad Request", plain, "not a request of HTTP\n", true);
  }
  const std::string method = request.substr(0, first);
  const std::string path = request.substr(first + 1, second - first - 1);
  if (method != "GET" && method != "HEAD") {
    return response("405 Method Not Allowed", plain, "only GET and HEAD\n", true);
  }
  const bool with_body = method == "GET";
  if (path != "/metrics") {
    return response("404 Not Found", plain, "the metrics are at /metrics\n", with_body);
  }
  std::shared_ptr<const std::string> text;
  {
    const std::lock_guard lock(m_mutex);
    text = m_text;
  }
  return response("200 OK", "text/plain; version=0.0.4; charset=utf-8", *text, with_body);
}

}  // namespace radosload::probe
