// The regression beneath `membership`: which member is in which group, weights, and what it takes
// to estimate a contrast of members with its scatter. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/membership.h"
#include "stats/symmetric.h"

namespace radosload::stats {

// An estimate, and two views of how far it is off by chance.
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

  // Members that are never apart are one unit; all else is by unit. Sorted by their first ids.
  const std::vector<Member>& units() const { return m_units; }
  std::size_t groups() const { return m_rows.size(); }
  std::uint64_t operations() const { return m_operations; }
  std::size_t stretches() const { return m_stretches; }

  // Fits. Once, before what follows.
  void fit();
  // Units of which the differences can be estimated, together; each unit in one set.
  std::vector<std::vector<std::size_t>> comparable() const;
  // How `unit` differs from the mean of the others (which must be comparable with it, and not be
  // none).
  Estimate against(std::size_t unit, std::span<const std::size_t> others) const;

 private:
  struct Row {
    std::vector<std::size_t> units;
    std::vector<Moments> stretches;
    std::uint64_t count = 0;
    double mean = 0;  // of log latency, less what the time has in common
    double weight = 0;
    double residual = 0;               // as if the group had not been fitted itself
    std::vector<double> mean_without;  // each stretch
  };

  void find_units(std::span<const Group> groups);
  void take_rows(std::span<const Group> groups);
  void remove_common_time();
  void weigh();

  std::vector<Member> m_units;
  std::vector<Row> m_rows;
  std::size_t m_stretches = 0;
  std::uint64_t m_operations = 0;
  double m_ridge = 0;
  double m_spare = 0;  // groups beyond those that the fit has used up
  Symmetric m_inverse{0};
};

}  // namespace radosload::stats
