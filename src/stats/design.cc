#include "stats/design.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

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

// Stretches without operations carry no information, and would count as observations.
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
  add_rows(groups);
  remove_common_time();
  weigh();
}

// Members of exactly the same groups cannot be distinguished.
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

void Design::add_rows(std::span<const Group> groups) {
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
    row.terms = terms_of(group, unit_of);
    m_operations += row.count;
    m_rows.push_back(std::move(row));
  }
}

// Also counts the group's operations among those of its units.
std::vector<Design::Term> Design::terms_of(const Group& group,
                                           const std::map<std::int32_t, std::size_t>& units) {
  std::map<std::size_t, double> times;
  for (const std::int32_t member : group.members) times[units.at(member)] += 1;
  std::vector<Term> terms;
  for (const auto& [unit, often] : times) {
    m_units[unit].operations += count_of(group.stretches);
    terms.push_back({.coefficient = static_cast<Eigen::Index>(unit), .times = often});
  }
  terms.push_back({.coefficient = static_cast<Eigen::Index>(m_units.size()), .times = 1});
  return terms;
}

// Removes what affects all groups at the same time.
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
  // Many operations make a group's mean more certain, but only up to a limit: effects of the group
  // itself (a hot object, a long log) do not average out. So the largest group weighs at most twice
  // as much as one of average size. The errors below are valid for any weights.
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
  const auto size = static_cast<Eigen::Index>(m_units.size()) + 1;
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(size);
  for (const Row& row : m_rows) {
    for (const Term& a : row.terms) {
      right(a.coefficient) += row.weight * a.times * row.mean;
      for (const Term& b : row.terms) {
        normal(a.coefficient, b.coefficient) += row.weight * a.times * b.times;
      }
    }
  }
  solve(normal);
  compute_residuals(m_inverse * right);
}

// If the sets do not separate the members, the normal equations do not have full rank. The
// eigenvectors of eigenvalue zero are the combinations that no group shows; the others make an
// inverse for everything that can be estimated.
void Design::solve(const Eigen::MatrixXd& normal) {
  // With a diagonal of ones the largest eigenvalue is between 1 and the number of coefficients, for
  // any weights. Rounding leaves less than this of an eigenvalue that is zero.
  constexpr double nothing = 1e-9;
  const Eigen::VectorXd scale = normal.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> parts(scale.asDiagonal() * normal *
                                                             scale.asDiagonal());
  const Eigen::VectorXd& values = parts.eigenvalues();  // the smallest first
  const Eigen::MatrixXd vectors = scale.asDiagonal() * parts.eigenvectors();
  const Eigen::Index missing = (values.array() < nothing).count();
  const Eigen::Index rank = values.size() - missing;
  const auto seen = vectors.rightCols(rank);
  m_inverse = seen * values.tail(rank).cwiseInverse().asDiagonal() * seen.transpose();
  m_unseen = vectors.leftCols(missing);
}

void Design::compute_residuals(const Eigen::VectorXd& fitted) {
  m_spare = static_cast<double>(m_rows.size());
  for (Row& row : m_rows) {
    double mean = 0;
    double leverage = 0;
    for (const Term& a : row.terms) {
      mean += a.times * fitted(a.coefficient);
      for (const Term& b : row.terms) {
        leverage += row.weight * a.times * b.times * m_inverse(a.coefficient, b.coefficient);
      }
    }
    m_spare -= leverage;
    // A group that alone determines a member's effect has no deviation from the fit, so it tells
    // nothing about the scatter.
    constexpr double most = 0.99;
    row.residual = (row.mean - mean) / (1 - std::min(leverage, most));
  }
}

// Two units can be compared if every change of coefficients that no group would show affects both
// equally.
std::vector<std::vector<std::size_t>> Design::comparable() const {
  constexpr double same = 1e-6;
  const auto changes_of = [this](std::size_t unit) {
    return m_unseen.row(static_cast<Eigen::Index>(unit));
  };
  const double least = same * std::max(1.0, m_unseen.norm());
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t unit = 0; unit < m_units.size(); ++unit) {
    const auto found = std::find_if(sets.begin(), sets.end(), [&](const auto& set) {
      return (changes_of(set.front()) - changes_of(unit)).norm() < least;
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
  const auto members = [this](std::size_t of) {
    return static_cast<double>(m_units[of].ids.size());
  };
  double all = 0;
  for (const std::size_t other : others) all += members(other);
  Eigen::VectorXd contrast = Eigen::VectorXd::Zero(m_inverse.rows());
  for (const std::size_t other : others) {
    contrast(static_cast<Eigen::Index>(other)) = -members(unit) * members(other) / all;
  }
  contrast(static_cast<Eigen::Index>(unit)) = members(unit);
  const Eigen::VectorXd direction = m_inverse * contrast;
  Estimate estimate;
  double squares = 0;  // of the groups' shares in the variance
  double even = 0;     // the standard error if all groups had the same scatter
  double even_squares = 0;
  std::vector<double> without(m_stretches);
  for (const Row& row : m_rows) {
    double share = 0;
    for (const Term& term : row.terms) share += term.times * direction(term.coefficient);
    share *= row.weight;
    estimate.value += share * row.mean;
    squares += share * share * row.residual * row.residual;
    even += share * share;
    even_squares += share * share * share * share;
    for (std::size_t i = 0; i < m_stretches; ++i) without[i] += share * row.mean_without[i];
  }
  estimate.group_error = std::sqrt(squares);
  // The effective number of groups (Satterthwaite's rule, assuming equal scatter).
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
