// The slowest operations of a run, one by one, with the wall clock of their sending; and where they
// waited, as far as OSDs have told. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/op.h"
#include "radosload/units.h"

namespace radosload::record {

// The stage of an operation that took longest.
enum class Wait : std::uint8_t {
  to_osd,     // from its sending until the primary OSD received it
  receive,    // being read and decoded there, with the throttle of messages
  queue,      // in the queue of its PG
  blocked,    // until something had happened, such as a recovery of its object
  execution,  // carried out: reading, preparing a write
  commit,     // until the primary OSD's own store had committed
  replica,    // until the replicas had committed
  shards,     // erasure-coded: until the other OSDs had, which are not distinguished
  from_osd,   // from the OSD's answer until it arrived
  silent,     // unknown; but the OSD did not answer questions for much of the time
  client,     // here, while this process did not run
};
inline constexpr std::size_t wait_count = 11;
// "to-osd", "receive", ...
std::string_view wait_name(Wait wait);
std::optional<Wait> wait_from_name(std::string_view name);

struct Waited {
  Wait where = Wait::queue;
  Time longest{0};  // how long in that stage
  // replica: which one; several when it is unknown which of them.
  std::vector<std::int32_t> replicas = {};
  std::string reason = {};  // blocked: in the OSD's words
  Time before{0};           // from sending until the primary OSD received it
  Time on_osd{0};           // from then until the OSD had answered
  Time after{0};            // from then until the answer arrived
  bool ended = true;        // false: the OSD was only asked while the operation was in flight
  bool operator==(const Waited&) const = default;
};

struct SlowOp {
  OpKind kind = OpKind::read;
  std::string object;
  std::int64_t pool = -1;  // of the PG
  std::uint32_t pg = no_pg;
  std::int32_t osd = no_osd;
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
  Time at{0};    // of its sending, from the start of the measured phase
  Time wall{0};  // the same by the wall clock, since 1970, in whole microseconds
  Time service{0};
  Time response{0};
  std::int32_t rc = 0;
  bool answered = true;
  std::optional<Waited> waited = {};
  bool operator==(const SlowOp&) const = default;
};

// How far the clock of an OSD is ahead of the client's, give or take `within`.
struct ClockDifference {
  std::int32_t osd = no_osd;
  Time ahead{0};
  Time within{0};
  bool operator==(const ClockDifference&) const = default;
};

// The search for the slowest operations among those that the OSDs remember.
struct SlowSearch {
  std::uint64_t matched = 0;
  std::string missing;  // why some were not found, or some OSDs not asked; empty: no reason known
  std::vector<ClockDifference> clocks = {};
  bool operator==(const SlowSearch&) const = default;
};

// "3.1f"; empty when it is unknown.
std::string pg_text(const SlowOp& op);
// "ok", "EIO", "ECANCELED", "unanswered".
std::string outcome_text(const SlowOp& op);

}  // namespace radosload::record
