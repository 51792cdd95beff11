#include "target/client_settings.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

#include <rados/librados.hpp>

namespace radosload::target {

namespace {

// librados's own defaults; lower values have no benefit.
constexpr std::uint64_t default_ops = 1024;
constexpr std::uint64_t default_bytes = mib(100).count;
// Operations on the manifest and resent operations are in flight beside the load.
constexpr std::uint64_t headroom = 2;

constexpr std::array<std::string_view, 25> recorded = {
    "objecter_inflight_ops",
    "objecter_inflight_op_bytes",
    "objecter_completion_locks_per_session",
    "rados_osd_op_timeout",
    "rados_mon_op_timeout",
    "client_mount_timeout",
    "rados_replica_read_policy",
    "crush_location",
    "librados_thread_count",
    "ms_type",
    "ms_async_op_threads",
    "ms_dispatch_throttle_bytes",
    "ms_client_mode",
    "ms_crc_data",
    "ms_crc_header",
    "ms_tcp_nodelay",
    "ms_tcp_rcvbuf",
    "ms_tcp_prefetch_max_size",
    "ms_osd_compress_mode",
    "ms_inject_socket_failures",
    "cephx_sign_messages",
    "debug_ms",
    "debug_objecter",
    "debug_rados",
    "log_file",
};

// librados reads ahead 4 KiB from a socket, so the answer to a 4 KiB read takes two system calls.
// With room for the answer's header it takes one: 5 % less CPU per operation. Larger buffers gain
// nothing, and their data would be copied.
constexpr std::uint64_t default_read_ahead = kib(4).count;
constexpr std::uint64_t largest_read_ahead = kib(16).count;

std::uint64_t read_ahead(Bytes block) {
  const std::uint64_t answer = block.count + default_read_ahead;
  return answer <= largest_read_ahead ? answer : default_read_ahead;
}

// librados uses three threads for its sockets on any number of processors. The callback threads
// need processors too: if sockets have more than half of them, the threads only wake each other for
// every message.
constexpr unsigned default_socket_threads = 3;

unsigned socket_threads(unsigned processors) {
  return std::clamp(processors / 2, 1U, default_socket_threads);
}

// The settings that this librados knows.
void add_known(cluster::Connection::Settings& settings,
               const cluster::Connection::Settings& wanted) {
  librados::Rados probe;
  if (probe.init(nullptr) < 0) return;
  for (const auto& [key, value] : wanted) {
    std::string before;
    if (probe.conf_get(key.c_str(), before) == 0) settings[key] = value;
  }
  probe.shutdown();
}

// A slow operation does not take this long: a dead OSD is replaced within half a minute.
constexpr Time image_timeout = std::chrono::seconds(120);

Time timeout_for(const ClientDemand& demand) {
  if (demand.op_timeout > Time(0)) return demand.op_timeout;
  return demand.images ? image_timeout : Time(0);
}

}  // namespace

cluster::Connection::Settings client_settings(const ClientDemand& demand) {
  const std::uint64_t ops = std::max(default_ops, demand.depth * headroom);
  const std::uint64_t bytes =
      std::max(default_bytes, demand.depth * headroom * demand.largest.count);
  cluster::Connection::Settings settings = {
      {"objecter_inflight_ops", std::to_string(ops)},
      {"objecter_inflight_op_bytes", std::to_string(bytes)},
  };
  if (const Time timeout = timeout_for(demand); timeout > Time(0)) {
    // Whole seconds; 0 would mean "for ever".
    const auto whole = std::chrono::ceil<std::chrono::seconds>(timeout).count();
    settings["rados_osd_op_timeout"] = std::to_string(whole);
  }
  if (demand.images) {
    settings["rbd_cache"] = demand.image_cache ? "true" : "false";
    if (!demand.image_cache) add_known(settings, {{"rbd_io_scheduler", "none"}});
  }
  // Any other value allows reads from replicas, and then routing cannot be verified.
  add_known(settings, {{"rados_replica_read_policy", "default"}});
  return settings;
}

std::vector<cluster::Connection::Preference> thrifty_settings(const ClientDemand& demand,
                                                              unsigned processors) {
  const auto preference = [](const char* key, std::uint64_t of_librados, std::uint64_t ours) {
    return cluster::Connection::Preference{
        .key = key, .librados_default = std::to_string(of_librados), .value = std::to_string(ours)};
  };
  return {preference("ms_tcp_prefetch_max_size", default_read_ahead, read_ahead(demand.block)),
          preference("ms_async_op_threads", default_socket_threads, socket_threads(processors))};
}

std::map<std::string, std::string> settings_in_force(const cluster::Connection& connection) {
  std::map<std::string, std::string> found;
  for (const std::string_view key : recorded) {
    const std::string value = connection.setting(std::string(key));
    if (!value.empty()) found.emplace(key, value);
  }
  return found;
}

}  // namespace radosload::target
