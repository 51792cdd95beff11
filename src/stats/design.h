// The regression beneath `membership`. The mean log latency of a group is an intercept plus the
// effect of each of its members. Members that are always in the same groups share one coefficient,
// which counts once for each of them in the group. The rank of the design shows which coefficients
// the groups do not determine, and no contrast of those is estimated. Pure.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "stats/slow_members.h"

namespace radosload::stats {

// An estimate, and two estimates of its standard error.
struct Estimate {
  double value = 0;
  double group_error = 0;    // standard error by groups
  double group_degrees = 0;  // of freedom of that
  double time_error = 0;     // by stretches of time
  double time_degrees = 0;
};

class Design {
 public:
  // Groups without operations are left out, and so are stretches of time without any.
  explicit Design(std::span<const Group> groups);

  // Members that are always in the same groups form one unit; all else is by unit. Sorted by their
  // first IDs.
  const std::vector<Member>& units() const { return m_units; }
  std::size_t groups() const { return m_rows.size(); }
  std::uint64_t operations() const { return m_operations; }
  std::size_t stretches() const { return m_stretches; }

  // Fits. Once, before what follows.
  void fit();
  // Sets of units whose differences can be estimated; each unit is in one set.
  std::vector<std::vector<std::size_t>> comparable() const;
  // The change of a group's log latency when all members of `unit` replace as many average members
  // of `others`, which must be comparable with it, and at least one.
  Estimate against(std::size_t unit, std::span<const std::size_t> others) const;

 private:
  // A coefficient of a group's mean and its multiplicity: once for the intercept, and for a unit
  // the number of its members in the group.
  struct Term {
    Eigen::Index coefficient = 0;
    double times = 0;
  };
  struct Row {
    std::vector<Term> terms;
    std::vector<Moments> stretches;
    std::uint64_t count = 0;
    double mean = 0;  // mean log latency, without what all groups have in common at that time
    double weight = 0;
    double residual = 0;               // deviation from the fit without this group
    std::vector<double> mean_without;  // each stretch
  };

  void find_units(std::span<const Group> groups);
  void add_rows(std::span<const Group> groups);
  std::vector<Term> terms_of(const Group& group, const std::map<std::int32_t, std::size_t>& units);
  void remove_common_time();
  void weigh();
  void solve(const Eigen::MatrixXd& normal);
  void compute_residuals(const Eigen::VectorXd& fitted);

  std::vector<Member> m_units;
  std::vector<Row> m_rows;
  std::size_t m_stretches = 0;
  std::uint64_t m_operations = 0;
  double m_spare = 0;  // groups beyond those that the fit has used up
  // By coefficient: the units, then the intercept.
  Eigen::MatrixXd m_inverse;  // of the normal equations, as far as they have one
  Eigen::MatrixXd m_unseen;   // its columns span the changes of coefficients that no group notices
};

}  // namespace radosload::stats
