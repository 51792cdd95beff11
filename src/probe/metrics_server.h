// Serves one text over HTTP to those who scrape it: GET /metrics. Written here, because a server of
// a library (civetweb, in prometheus-cpp) has a pool of threads and many features that this one
// does not need, and the text is made by a pure function anyway.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "radosload/result.h"

#include "base/descriptor.h"

namespace radosload::probe {

// "127.0.0.1:9925", "[::1]:9925", or "9925" on this machine only.
struct Listening {
  std::string address = "127.0.0.1";
  std::string port = {};  // "0": any free one
};
Result<Listening> parse_listening(const std::string& text);

class MetricsServer {
 public:
  // Refuses when the port is in use.
  static Result<std::unique_ptr<MetricsServer>> start(const Listening& where);
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;
  MetricsServer(MetricsServer&&) = delete;
  MetricsServer& operator=(MetricsServer&&) = delete;

  // Any thread. Scrapes under way still get the text before.
  void publish(std::string text);
  std::uint16_t port() const { return m_port; }

 private:
  struct Client;
  MetricsServer(base::Descriptor listener, base::Descriptor wake, std::uint16_t port);
  void serve();
  void accept_one(std::vector<Client>& clients);
  void receive(Client& client) const;
  std::string answer_to(const std::string& request) const;

  base::Descriptor m_listener;
  base::Descriptor m_wake;  // an eventfd that ends the thread
  std::uint16_t m_port;
  mutable std::mutex m_mutex;
  std::shared_ptr<const std::string> m_text;
  std::thread m_thread;
};

}  // namespace radosload::probe
