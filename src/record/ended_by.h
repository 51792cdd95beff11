// Why a run ended: it reached its limits, an error stopped it, or the user did.
#pragma once

#include <cstdint>
#include <string_view>

namespace radosload::record {

enum class EndedBy : std::uint8_t {
  nothing,  // the run was killed or is still running
  // As asked for.
  time,
  ops,
  bytes,
  exhausted,  // the pattern has nothing left to do
  // By itself.
  stalled,  // prefill only: no operation was answered any more
  errors,   // for seconds, every operation failed
  health,   // the cluster was in trouble
  session,  // the other members of its session ended it
  // Stopped by the user.
  sigint,
  sigterm,
  sighup,
};

constexpr bool is_planned(EndedBy end) {
  return end >= EndedBy::time && end <= EndedBy::exhausted;
}
constexpr bool is_signal(EndedBy end) {
  return end >= EndedBy::sigint;
}
// Which of two reasons a run ended by: the one that came first. Only a prefill that stalled is
// reported in place of any earlier reason, because its objects are not whole.
constexpr EndedBy first_end(EndedBy earlier, EndedBy later) {
  return earlier == EndedBy::nothing || later == EndedBy::stalled ? later : earlier;
}
// One of SIGINT, SIGTERM and SIGHUP.
EndedBy ended_by_signal(int signal);

// As in records and reports: "time", "SIGINT"; empty for nothing.
std::string_view ended_by_name(EndedBy end);

}  // namespace radosload::record
