#include "observe/client_counters.h"

#include <algorithm>
#include <chrono>

#include "observe/json.h"

namespace radosload::observe {

namespace {

struct Throttled {
  std::uint64_t count = 0;
  Time time{0};
};

Throttled waits_of(const Json& dump, std::string_view throttle) {
  const Json& wait = member(member(dump, throttle), "wait");
  const Json& sum = member(wait, "sum");
  // A counter of time is at most some years.
  constexpr double longest = 1e9;
  const double given = sum.is_number() ? sum.get<double>() : 0;
  const double waited = given >= 0 && given < longest ? given : 0;
  return {.count = number(wait, "avgcount"),
          .time = std::chrono::round<Time>(std::chrono::duration<double>(waited))};
}

std::uint64_t grown(std::uint64_t before, std::uint64_t after) {
  return after - std::min(before, after);
}

Time grown(Time before, Time after) {
  return after - std::min(before, after);
}

}  // namespace

Result<ClientCounters> parse_client_counters(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto dump, parse_object("perf dump", json));
  const Json& objecter = member(dump, "objecter");
  if (!member(objecter, "op").is_number()) {
    return fail({.attempt = "read the answer to 'perf dump'",
                 .reason = "it has no counter of the client's operations",
                 .exit = Exit::no_cluster});
  }
  const Throttled ops = waits_of(dump, "throttle-objecter_ops");
  const Throttled bytes = waits_of(dump, "throttle-objecter_bytes");
  return ClientCounters{.ops_waits = ops.count,
                        .ops_wait = ops.time,
                        .bytes_waits = bytes.count,
                        .bytes_wait = bytes.time,
                        .resent = number(objecter, "op_resend"),
                        .laggy = number(objecter, "op_laggy")};
}

ClientCounters growth(const ClientCounters& before, const ClientCounters& after) {
  return {.ops_waits = grown(before.ops_waits, after.ops_waits),
          .ops_wait = grown(before.ops_wait, after.ops_wait),
          .bytes_waits = grown(before.bytes_waits, after.bytes_waits),
          .bytes_wait = grown(before.bytes_wait, after.bytes_wait),
          .resent = grown(before.resent, after.resent),
          .laggy = after.laggy};
}

ClientCounters sum(const ClientCounters& one, const ClientCounters& other) {
  return {.ops_waits = one.ops_waits + other.ops_waits,
          .ops_wait = one.ops_wait + other.ops_wait,
          .bytes_waits = one.bytes_waits + other.bytes_waits,
          .bytes_wait = one.bytes_wait + other.bytes_wait,
          .resent = one.resent + other.resent,
          .laggy = one.laggy + other.laggy};
}

}  // namespace radosload::observe
