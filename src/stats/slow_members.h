// Finds the slow OSD behind slow writes. A write to a replicated pool waits for the slowest OSD of
// its acting set, so its latency belongs to the set and not to one OSD. Over many sets the effects
// of the OSDs can be separated: the logarithm of latency is regressed on the members of the set.
// Pure, and knows nothing of Ceph: members belong to groups (placement groups), and each group is
// observed over several stretches of time.
//
// Why it can be trusted. The group is the observation, not the operation: a million writes to one
// hot object are one observation. The error of an effect is therefore estimated in two ways: from
// the deviations of the groups from the fit (with leverage: "HC3"), and from the change of the
// effect when each stretch of time is left out (the jackknife), so that a disturbance of a few
// seconds does not make an OSD slow. The wider of the two intervals counts, with the error level
// divided among all tested members (Bonferroni).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "radosload/result.h"

namespace radosload::stats {

// The operations of one group in one stretch of time.
struct Moments {
  std::uint64_t count = 0;
  double sum = 0;  // of the logarithms of their latencies
};

struct Group {
  std::vector<std::int32_t> members;  // each once
  std::vector<Moments> stretches;     // of all groups the same number
};

struct MembershipRules {
  double level = 0.95;           // of all intervals together
  double least_effect = 0.2;     // what matters: 0.2 is a fifth longer, or as much shorter
  std::size_t least_groups = 4;  // needed with the member, and without it, for a verdict
};

// The verdict on a member. Assumes that most of the members it is compared with are healthy.
enum class Verdict : std::uint8_t {
  slow,         // its interval lies wholly above the least effect
  fast,         // wholly below
  alike,        // wholly within
  unclear,      // none of these: inconclusive
  scarce,       // in too few groups, or missing from too few
  inseparable,  // no other member to compare it with: it is always in the same groups as the others
};
std::string_view verdict_name(Verdict told);

// A factor on latency, as a logarithm.
struct Effect {
  double estimate = 0;
  double low = 0;
  double high = 0;
};

// One member, or several that are always in the same groups and therefore cannot be distinguished.
struct Member {
  std::vector<std::int32_t> ids;
  std::size_t groups = 0;        // that it is in
  std::uint64_t operations = 0;  // of these
  std::size_t peers = 0;         // the set of Membership::peers that it is compared within
  Verdict told = Verdict::inseparable;
  // The effect of all its IDs together, compared with as many average IDs of its peers that are
  // neither slow nor fast.
  std::optional<Effect> effect;
};

struct Membership {
  std::vector<Member> members;  // by their first ids
  // Sets of members that can be compared with each other, as indices into `members`. There are
  // several where groups follow a rule: one member of each host, for example.
  std::vector<std::vector<std::size_t>> peers;
  std::size_t groups = 0;  // with operations
  std::uint64_t operations = 0;

  bool has(Verdict told) const;
  // The largest effect that a member may have without being reported. Nothing
  // when no member could be compared.
  std::optional<double> unseen() const;
};

// Larger pools take too long, and too much memory.
inline constexpr std::size_t most_members = 3000;
// Stretches of time that must have operations.
inline constexpr std::size_t least_stretches = 5;

// An Error says what is missing.
Result<Membership> tell_members_apart(std::span<const Group> groups,
                                      const MembershipRules& rules = {});

}  // namespace radosload::stats
