// Measures how much of its machine the client uses while a run measures: the network interface to
// the cluster, the CPUs, and the operations that librados delayed by its throttles. Never waits for
// an answer during the run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/target.h"

#include "prepare/cluster_session.h"
#include "record/client_load.h"

namespace radosload::watch {

// The counters of a network interface, from the kernel.
struct LinkCounters {
  std::uint64_t received = 0;
  std::uint64_t sent = 0;
  std::uint64_t mbit = 0;  // 0: unknown, as for lo and many virtual interfaces
};
// From the interface's folder, as in /sys/class/net/eth0. Nothing when it has no counters.
std::optional<LinkCounters> read_link(const std::filesystem::path& folder);

// For how long the threads of this process were ready to run and had no CPU, since each began; from
// the folder of the threads, as /proc/self/task. Nothing where the kernel does not count it.
std::optional<Time> read_cpu_wait(const std::filesystem::path& threads);

// "v2:10.0.0.7:0/1234", "[v2:[fd00::7]:0/12,v1:...]": the first address, without port and type;
// empty for any other text.
std::string host_in(const std::string& addresses);
// The interface of this machine with that address; empty when there is none.
std::string interface_with(const std::string& host);

class ClientMeter {
 public:
  // `sockets`: the admin sockets of the clients. `net`, `threads`: the kernel's folders of network
  // interfaces and of this process's threads.
  ClientMeter(std::string interface, std::vector<std::string> sockets, unsigned cpus,
              std::filesystem::path net = "/sys/class/net",
              std::filesystem::path threads = "/proc/self/task");

  // Call when a phase begins.
  void enter(Phase phase);
  // Call after the last answer.
  record::ClientLoad finish();

 private:
  using Counted = Result<ClientCounters>;
  struct Moment {
    std::optional<LinkCounters> link;
    std::optional<Time> cpu_wait;
    std::future<Counted> counters;
  };
  Moment sample() const;

  std::string m_interface;
  std::vector<std::string> m_sockets;
  unsigned m_cpus;
  std::filesystem::path m_net;
  std::filesystem::path m_threads;
  std::optional<Moment> m_begin;
  std::optional<Moment> m_end;
};

// A meter for the clients of this session.
ClientMeter meter_clients(const prepare::ClusterSession& session);

}  // namespace radosload::watch
