#include "stats/slow_members.h"

#include <algorithm>
#include <cmath>

#include "stats/design.h"
#include "stats/student.h"

#include <fmt/format.h>

namespace radosload::stats {

namespace {

tl::unexpected<Error> too_little(std::string reason, std::string hint) {
  return fail({.attempt = "compare the OSDs of the acting sets",
               .reason = std::move(reason),
               .hint = std::move(hint)});
}

// Compares the members and decides the verdicts.
class Trial {
 public:
  Trial(const Design& design, const MembershipRules& rules, Membership& into)
      : m_design(design), m_rules(rules), m_result(into), m_limit(std::log1p(rules.least_effect)) {
    for (std::size_t set = 0; set < m_result.peers.size(); ++set) {
      for (const std::size_t unit : m_result.peers[set]) enrol(unit, set);
    }
  }

  void decide() {
    judge_all();
    while (set_apart_the_furthest()) judge_all();
  }

 private:
  void enrol(std::size_t unit, std::size_t set) {
    Member& member = m_result.members[unit];
    member.peers = set;
    if (m_result.peers[set].size() == 1) return;
    const std::size_t without = m_design.groups() - member.groups;
    const bool scarce = member.groups < m_rules.least_groups || without < m_rules.least_groups;
    member.told = scarce ? Verdict::scarce : Verdict::unclear;
    if (!scarce) m_tested.push_back(unit);
  }

  bool apart(std::size_t unit) const {
    const Verdict told = m_result.members[unit].told;
    return told == Verdict::slow || told == Verdict::fast;
  }

  // The healthy members that a member is compared with; all, if none is known to be healthy.
  std::vector<std::size_t> others_of(std::size_t unit) const {
    std::vector<std::size_t> in_order;
    std::vector<std::size_t> all;
    for (const std::size_t other : m_result.peers[m_result.members[unit].peers]) {
      if (other == unit) continue;
      all.push_back(other);
      if (!apart(other) && m_result.members[other].told != Verdict::scarce)
        in_order.push_back(other);
    }
    return in_order.empty() ? all : in_order;
  }

  Effect effect_of(std::size_t unit) const {
    const auto others = others_of(unit);
    const Estimate estimate = m_design.against(unit, others);
    // Two-sided, and divided among all tested members (Bonferroni).
    const double tail = (1 - m_rules.level) / 2 / static_cast<double>(m_tested.size());
    const double by_group = student_quantile(1 - tail, estimate.group_degrees);
    const double by_time = student_quantile(1 - tail, estimate.time_degrees);
    const double reach = std::max(by_group * estimate.group_error, by_time * estimate.time_error);
    return {
        .estimate = estimate.value, .low = estimate.value - reach, .high = estimate.value + reach};
  }

  void judge_all() {
    for (const std::size_t unit : m_tested) {
      Member& member = m_result.members[unit];
      member.effect = effect_of(unit);
      if (apart(unit)) continue;
      const bool within = member.effect->low > -m_limit && member.effect->high < m_limit;
      member.told = within ? Verdict::alike : Verdict::unclear;
    }
  }

  // Takes out the member that deviates most, if its deviation is significant: compared with a slow
  // member all others would seem fast, and the reverse. One at a time, and never more than half.
  bool set_apart_the_furthest() {
    Member* furthest = nullptr;
    for (const std::size_t unit : m_tested) {
      Member& member = m_result.members[unit];
      const Effect& effect = *member.effect;
      if (apart(unit) || (effect.low <= m_limit && effect.high >= -m_limit)) continue;
      if (!most_would_remain(member.peers)) continue;
      // If two members deviate equally, the slow one is taken out.
      constexpr double a_little = 1e-9;
      const auto distance = [](const Effect& of) {
        return std::abs(of.estimate) + (of.estimate > 0 ? a_little : 0);
      };
      if (furthest == nullptr || distance(effect) > distance(*furthest->effect)) {
        furthest = &member;
      }
    }
    if (furthest == nullptr) return false;
    furthest->told = furthest->effect->estimate > 0 ? Verdict::slow : Verdict::fast;
    return true;
  }

  bool most_would_remain(std::size_t set) const {
    const auto& peers = m_result.peers[set];
    const auto already = static_cast<std::size_t>(
        std::count_if(peers.begin(), peers.end(), [this](std::size_t i) { return apart(i); }));
    return 2 * (already + 1) <= peers.size();
  }

  const Design& m_design;
  const MembershipRules& m_rules;
  Membership& m_result;
  double m_limit;
  std::vector<std::size_t> m_tested;
};

}  // namespace

std::string_view verdict_name(Verdict told) {
  switch (told) {
    case Verdict::slow:
      return "slow";
    case Verdict::fast:
      return "fast";
    case Verdict::alike:
      return "like the others";
    case Verdict::unclear:
      return "inconclusive";
    case Verdict::scarce:
      return "too few PGs";
    case Verdict::inseparable:
      return "not identifiable";
  }
  return "";
}

bool Membership::has(Verdict told) const {
  return std::any_of(members.begin(), members.end(),
                     [told](const Member& member) { return member.told == told; });
}

std::optional<double> Membership::unseen() const {
  std::optional<double> most;
  for (const Member& member : members) {
    if (!member.effect || member.told == Verdict::slow || member.told == Verdict::fast) continue;
    most = std::max(most.value_or(0), member.effect->high);
  }
  return most;
}

Result<Membership> tell_members_apart(std::span<const Group> groups, const MembershipRules& rules) {
  Design design(groups);
  if (design.groups() == 0) return too_little("no operation was recorded", "run longer (--time)");
  if (design.units().size() > most_members) {
    return too_little(
        fmt::format("the pool has {} OSDs, the limit is {}", design.units().size(), most_members),
        "use a pool on fewer OSDs");
  }
  if (design.stretches() < least_stretches) {
    return too_little("the run was too short to separate lasting effects from short ones",
                      "run longer (--time)");
  }
  design.fit();
  Membership result{.members = design.units(),
                    .peers = design.comparable(),
                    .groups = design.groups(),
                    .operations = design.operations()};
  Trial(design, rules, result).decide();
  return result;
}

}  // namespace radosload::stats
