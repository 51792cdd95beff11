// Whose fault it is: a write to a replicated pool waits for the slowest OSD of its acting set, so
// what it takes is that set's and no single OSD's. Over many sets the parts of the OSDs come apart:
// the logarithm of latency is regressed on who is in the set. Pure, and knows nothing of Ceph:
// members belong to groups (placement groups), and each group has been seen over several stretches
// of time.
//
// How it may be trusted. The group is what is counted, not the operation: a million writes to one
// hot object are one observation. The scatter of an effect is therefore taken from how groups
// deviate from the fit (each by its own deviation, with leverage allowed for: "HC3"), and also from
// how the effect changes when each stretch of time is left out (the jackknife), so that a passing
// trouble of a few seconds accuses nobody. The wider of the two intervals counts, at a level shared
// out among all members that are tested (Bonferroni).
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
  std::size_t least_groups = 4;  // with a member, and without it, before anything is said of it
};

// What can be said of a member. Of those it is compared with, most are taken to be in order.
enum class Verdict : std::uint8_t {
  slow,         // its interval lies wholly above the least effect
  fast,         // wholly below
  alike,        // wholly within
  unclear,      // none of these: not told apart
  scarce,       // in too few groups, or missing from too few
  inseparable,  // no other member that it could be compared with: sets never tell them apart
};
std::string_view verdict_name(Verdict told);

// A factor on latency, as its logarithm.
struct Effect {
  double estimate = 0;
  double low = 0;
  double high = 0;
};

// One member; several when they are never seen apart, and so are one as far as anybody can tell.
struct Member {
  std::vector<std::int32_t> ids;
  std::size_t groups = 0;        // that it is in
  std::uint64_t operations = 0;  // of these
  std::size_t peers = 0;         // which of Membership::peers it is compared within
  Verdict told = Verdict::inseparable;
  // Of all its ids together, against as many average ids of its peers that are neither slow nor
  // fast.
  std::optional<Effect> effect;
};

struct Membership {
  std::vector<Member> members;  // by their first ids
  // Those that can be compared with each other, as places in `members`. There is more than one set
  // of them where groups are made by a rule: one member of each host, say.
  std::vector<std::vector<std::size_t>> peers;
  std::size_t groups = 0;  // with operations
  std::uint64_t operations = 0;

  bool has(Verdict told) const;
  // The largest effect that a member that is not accused may have without having shown. Nothing
  // when nobody could be compared.
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
