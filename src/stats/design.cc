#include "stats/design.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/random.h"

namespace radosload::stats {

namespace {

std::uint64_t count_of(const std::vector<Moments>& stretches) {
  std::uint64_t count = 0;
  for (const Moments& one : stretches) count += one.count;
  return count;
}

double sum_of(const std::vector<Moments>& stretches) {
  double sum = 0;
  for (const Moments& one : stretches) sum += one.sum;
  return sum;
}

// Stretches that nobody has operations in are of no use, and would count as observations.
std::vector<std::size_t> used_stretches(std::span<const Group> groups) {
  std::vector<std::size_t> used;
  const std::size_t all = groups.empty() ? 0 : groups.front().stretches.size();
  for (std::size_t i = 0; i < all; ++i) {
    if (std::any_of(groups.begin(), groups.end(),
                    [i](const Group& group) { return group.stretches[i].count > 0; })) {
      used.push_back(i);
    }
  }
  return used;
}

}  // namespace

Design::Design(std::span<const Group> groups) {
  take_rows(groups);
  remove_common_time();
  weigh();
}

// Members of the very same groups cannot be told apart by anybody.
void Design::find_units(std::span<const Group> groups) {
  std::map<std::int32_t, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (count_of(groups[i].stretches) == 0) continue;
    for (const std::int32_t member : groups[i].members) places[member].push_back(i);
  }
  std::map<std::vector<std::size_t>, std::size_t> known;
  for (auto& [member, where] : places) {
    const auto [found, first] = known.try_emplace(std::move(where), m_units.size());
    if (first) m_units.push_back({.ids = {}, .groups = found->first.size(), .effect = {}});
    m_units[found->second].ids.push_back(member);
  }
}

void Design::take_rows(std::span<const Group> groups) {
  find_units(groups);
  std::map<std::int32_t, std::size_t> unit_of;
  for (std::size_t unit = 0; unit < m_units.size(); ++unit) {
    for (const std::int32_t id : m_units[unit].ids) unit_of[id] = unit;
  }
  const auto used = used_stretches(groups);
  m_stretches = used.size();
  for (const Group& group : groups) {
    Row row;
    row.count = count_of(group.stretches);
    if (row.count == 0) continue;
    row.stretches.reserve(used.size());
    for (const std::size_t i : used) row.stretches.push_back(group.stretches[i]);
    for (const std::int32_t member : group.members) row.units.push_back(unit_of.at(member));
    std::sort(row.units.begin(), row.units.end());
    row.units.erase(std::unique(row.units.begin(), row.units.end()), row.units.end());
    for (const std::size_t unit : row.units) m_units[unit].operations += row.count;
    m_operations += row.count;
    m_rows.push_back(std::move(row));
  }
}

// What befalls all groups at the same time is nobody's in particular.
void Design::remove_common_time() {
  for (std::size_t i = 0; i < m_stretches; ++i) {
    Moments all;
    for (const Row& row : m_rows) {
      all.count += row.stretches[i].count;
      all.sum += row.stretches[i].sum;
    }
    const double common = all.sum / static_cast<double>(all.count);
    for (Row& row : m_rows) {
      row.stretches[i].sum -= common * static_cast<double>(row.stretches[i].count);
    }
  }
}

void Design::weigh() {
  // Many operations make a group's mean more certain, but not without end: what is a group's own
  // (a hot object, a long log) does not average out. So twice the operations of the average group
  // count for little more than those. Whatever the weights, the errors below are right.
  const double usual = static_cast<double>(m_operations) / static_cast<double>(m_rows.size());
  for (Row& row : m_rows) {
    const auto count = static_cast<double>(row.count);
    const double sum = sum_of(row.stretches);
    row.mean = sum / count;
    row.weight = count / (count + usual);
    row.mean_without.reserve(m_stretches);
    for (const Moments& stretch : row.stretches) {
      const auto rest = static_cast<double>(row.count - stretch.count);
      row.mean_without.push_back(rest > 0 ? (sum - stretch.sum) / rest : row.mean);
    }
  }
}

void Design::fit() {
  const std::size_t size = m_units.size();
  Symmetric normal(size);
  std::vector<double> right(size);
  for (const Row& row : m_rows) {
    for (const std::size_t i : row.units) {
      right[i] += row.weight * row.mean;
      for (const std::size_t j : row.units) normal.at(i, j) += row.weight;
    }
  }
  // Where sets do not tell members apart the matrix has no inverse. So little added to its diagonal
  // makes one, changes no difference that can be estimated, and lets comparable() find the others.
  constexpr double little = 1e-9;
  double diagonal = 0;
  for (std::size_t i = 0; i < size; ++i) diagonal += normal.at(i, i) / static_cast<double>(size);
  m_ridge = little * diagonal;
  for (std::size_t i = 0; i < size; ++i) normal.at(i, i) += m_ridge;
  m_inverse = Symmetric::inverse(std::move(normal));

  std::vector<double> effects(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) effects[i] += m_inverse.at(i, j) * right[j];
  }
  m_spare = static_cast<double>(m_rows.size());
  for (Row& row : m_rows) {
    double fitted = 0;
    double leverage = 0;
    for (const std::size_t i : row.units) {
      fitted += effects[i];
      for (const std::size_t j : row.units) leverage += row.weight * m_inverse.at(i, j);
    }
    m_spare -= leverage;
    // A group that alone decides a member's effect has fitted itself, and tells nothing of scatter.
    constexpr double most = 0.99;
    row.residual = (row.mean - fitted) / (1 - std::min(leverage, most));
  }
}

// Two units can be compared when no change of effects that no group would notice (the null space of
// the design) treats them differently. Random vectors are projected on it: what the ridge alone has
// kept from growing.
std::vector<std::vector<std::size_t>> Design::comparable() const {
  constexpr std::size_t probes = 3;
  constexpr double same = 1e-5;
  constexpr std::uint64_t seed = 20261121;
  const std::size_t size = m_units.size();
  Random random(seed);
  std::vector<std::vector<double>> traces(size, std::vector<double>(probes));
  for (std::size_t probe = 0; probe < probes; ++probe) {
    std::vector<double> noise(size);
    for (double& value : noise) value = random.unit() - 0.5;
    for (std::size_t i = 0; i < size; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < size; ++j) sum += m_inverse.at(i, j) * noise[j];
      traces[i][probe] = m_ridge * sum;
    }
  }
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t unit = 0; unit < size; ++unit) {
    const auto found = std::find_if(sets.begin(), sets.end(), [&](const auto& set) {
      const auto& other = traces[set.front()];
      return std::equal(other.begin(), other.end(), traces[unit].begin(),
                        [](double a, double b) { return std::abs(a - b) < same; });
    });
    if (found != sets.end()) {
      found->push_back(unit);
    } else {
      sets.push_back({unit});
    }
  }
  return sets;
}

Estimate Design::against(std::size_t unit, std::span<const std::size_t> others) const {
  const std::size_t size = m_units.size();
  const auto mine = m_inverse.row(unit);
  std::vector<double> direction(mine.begin(), mine.end());
  for (const std::size_t other : others) {
    const auto theirs = m_inverse.row(other);
    for (std::size_t i = 0; i < size; ++i) {
      direction[i] -= theirs[i] / static_cast<double>(others.size());
    }
  }
  Estimate estimate;
  double squares = 0;  // of the groups' shares in the variance
  double even = 0;     // what those would be if all groups scattered alike
  double even_squares = 0;
  std::vector<double> without(m_stretches);
  for (const Row& row : m_rows) {
    double share = 0;
    for (const std::size_t i : row.units) share += direction[i];
    share *= row.weight;
    estimate.value += share * row.mean;
    squares += share * share * row.residual * row.residual;
    even += share * share;
    even_squares += share * share * share * share;
    for (std::size_t i = 0; i < m_stretches; ++i) without[i] += share * row.mean_without[i];
  }
  estimate.group_error = std::sqrt(squares);
  // As many as groups really take part (Satterthwaite's rule, for groups that scatter alike).
  const double taking_part = even_squares > 0 ? even * even / even_squares - 1 : 0;
  estimate.group_degrees = std::min(taking_part, m_spare);
  double centre = 0;
  const auto stretches = static_cast<double>(m_stretches);
  for (const double value : without) centre += value / stretches;
  double spread = 0;
  for (const double value : without) spread += (value - centre) * (value - centre);
  estimate.time_error = std::sqrt(spread * (stretches - 1) / stretches);
  estimate.time_degrees = stretches - 1;
  return estimate;
}

}  // namespace radosload::stats
