// Simulated pools for the tests of stats: sets of OSDs by the rules that pools have, and what
// writes to them take when it is known who is slow.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/slow_members.h"

namespace radosload::stats::testing {

inline constexpr std::size_t stretches = 20;

inline double normal(Random& random) {
  return std::sqrt(-2 * std::log(random.positive_unit())) *
         std::cos(2 * std::numbers::pi * random.unit());
}

using Set = std::vector<std::int32_t>;
using Sets = std::vector<Set>;

// So many of them, any.
template <typename T>
std::vector<T> some_of(Random& random, std::vector<T> all, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
  all.resize(count);
  return all;
}

// So many OSDs of `osds`, any of them.
inline Sets random_sets(Random& random, std::size_t groups, std::int32_t osds, std::size_t size) {
  Set all(static_cast<std::size_t>(osds));
  std::iota(all.begin(), all.end(), 0);
  Sets sets;
  for (std::size_t i = 0; i < groups; ++i) sets.push_back(some_of(random, all, size));
  return sets;
}

// A CRUSH rule that takes `of_hosts` hosts, and `of_each` OSDs of each of them.
struct HostRule {
  std::vector<std::int32_t> host_sizes;
  std::size_t of_hosts;
  std::size_t of_each;
};

inline Sets host_sets(Random& random, std::size_t groups, const HostRule& rule) {
  std::vector<Set> hosts;
  std::int32_t next = 0;
  for (const std::int32_t size : rule.host_sizes) {
    hosts.emplace_back(static_cast<std::size_t>(size));
    std::iota(hosts.back().begin(), hosts.back().end(), next);
    next += size;
  }
  Sets sets;
  for (std::size_t i = 0; i < groups; ++i) {
    Set set;
    for (const Set& host : some_of(random, hosts, rule.of_hosts)) {
      const Set chosen = some_of(random, host, rule.of_each);
      set.insert(set.end(), chosen.begin(), chosen.end());
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

struct Sim {
  std::map<std::int32_t, double> slow = {};                       // by OSD: times as long
  std::map<std::size_t, double> hot = {};                         // by group
  double group_scatter = 0.1;                                     // of log latency
  double scatter = 0.6;                                           // of single operations
  double operations = 10;                                         // in a group and a stretch
  std::function<double(std::int32_t, std::size_t)> passing = {};  // log, by OSD and stretch
};

inline std::vector<Group> simulate(Random& random, const Sets& sets, const Sim& sim) {
  std::vector<double> weather;  // what all feel
  for (std::size_t i = 0; i < stretches; ++i) weather.push_back(0.3 * normal(random));
  std::vector<Group> groups;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    Group group{.members = sets[i], .stretches = {}};
    double own = sim.group_scatter * normal(random);
    if (const auto hot = sim.hot.find(i); hot != sim.hot.end()) own += std::log(hot->second);
    for (const std::int32_t osd : sets[i]) {
      if (const auto slow = sim.slow.find(osd); slow != sim.slow.end()) {
        own += std::log(slow->second);
      }
    }
    for (std::size_t j = 0; j < stretches; ++j) {
      double mean = 15 + own + weather[j];
      for (const std::int32_t osd : sets[i]) mean += sim.passing ? sim.passing(osd, j) : 0;
      const auto count = static_cast<std::uint64_t>(
          std::max(0.0, std::round(sim.operations + std::sqrt(sim.operations) * normal(random))));
      const auto real = static_cast<double>(count);
      group.stretches.push_back(
          {.count = count, .sum = real * mean + std::sqrt(real) * sim.scatter * normal(random)});
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

inline std::vector<std::int32_t> those(const Membership& membership, Verdict told) {
  std::vector<std::int32_t> osds;
  for (const Member& member : membership.members) {
    if (member.told == told) osds.insert(osds.end(), member.ids.begin(), member.ids.end());
  }
  return osds;
}

inline Membership told_of(std::span<const Group> groups, const MembershipRules& rules = {}) {
  auto told = tell_members_apart(groups, rules);
  EXPECT_TRUE(told) << told.error().message();
  return told.value_or(Membership{});
}

// What an effect must come to: the log of what a write takes longer on a set with all of the
// member's OSDs than with as many of those that it was compared with.
inline double true_effect(const Membership& told, std::size_t place, const Sim& sim) {
  const auto of_osds = [&sim](const std::vector<std::int32_t>& ids) {
    double sum = 0;
    for (const std::int32_t id : ids) {
      const auto slow = sim.slow.find(id);
      sum += slow == sim.slow.end() ? 0 : std::log(slow->second);
    }
    return sum;
  };
  const Member& member = told.members[place];
  std::vector<std::int32_t> in_order;
  std::vector<std::int32_t> all;
  for (const std::size_t other : told.peers[member.peers]) {
    if (other == place) continue;
    const Member& peer = told.members[other];
    const bool apart = peer.told == Verdict::slow || peer.told == Verdict::fast;
    all.insert(all.end(), peer.ids.begin(), peer.ids.end());
    if (apart || peer.told == Verdict::scarce) continue;
    in_order.insert(in_order.end(), peer.ids.begin(), peer.ids.end());
  }
  const auto& others = in_order.empty() ? all : in_order;
  const double share = static_cast<double>(member.ids.size()) / static_cast<double>(others.size());
  return of_osds(member.ids) - share * of_osds(others);
}

}  // namespace radosload::stats::testing
