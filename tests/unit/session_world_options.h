// What happens in a session in virtual time (session_world.h), and what its members report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "session/protocol.h"

namespace radosload::session::testing {

inline Time ms(std::int64_t count) {
  return std::chrono::milliseconds(count);
}

inline Entry entry_of(const MemberId& id) {
  Entry entry;
  entry.id = entry.who = id;
  entry.chunks = 1;
  return entry;
}

struct WorldOptions {
  std::uint32_t members = 3;
  std::uint32_t late = 0;   // that come long after the others
  double deaths = 0;        // the probability of each member's death
  double pauses = 0;        // of being stopped once, for up to 20 s
  double lost_answers = 0;  // of each request
  double lost_hints = 0;
  double late_hints = 0;
  double interrupts = 0;                 // that a member gets Ctrl-C
  double failures = 0;                   // that its work fails
  double leaves = 0;                     // that a member gets Ctrl-C with --leave, after 6 s
  Time others_die = Time::max();         // when all but the leader die
  std::vector<Time> leader_leaves = {};  // when the member that leads then gets it
  Time silence = Time::max();            // from when on the cluster does not answer
  Time load = std::chrono::seconds(20);
  Time horizon = std::chrono::minutes(15);
};

// What the members of one session did.
// What each member says that it does in a second.
inline constexpr std::uint64_t rate_of_each = 10;

struct MemberReport {
  MemberId id;
  bool dead = false;
  Outcome outcome = Outcome::none;
  std::string reason;
  int starts = 0;
  Time started{0};  // on the world's clock
  Time planned{0};
  Time ended{0};              // when its load did, or when it left
  bool led = false;           // when it left
  std::optional<Step> asked;  // the step in which it was asked to leave
  Time over{0};               // when its part was
  bool late = false;          // it learned of the start after it
  std::uint64_t issued = 0;
  std::uint64_t flushed = 0;
  std::optional<std::uint64_t> joint;  // of the leader that made the joint record
  std::uint64_t joint_rate = 0;        // the most that it knew of all while it led
};

}  // namespace radosload::session::testing
