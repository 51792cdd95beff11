// Percentiles over all operations that were sent (open loop: due), including lost ones: operations
// that were cancelled, timed out, never answered or never sent. Of those only a lower bound is
// known, the time they had waited. So a percentile is ranked twice, with each lost operation
// answered when it was given up and with none ever answered: it is known where both agree, and
// otherwise it is "more than" the first. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "record/cell.h"
#include "record/histogram.h"

namespace radosload::record {

struct Ranked {
  enum class Kind : std::uint8_t {
    unknown,  // too few operations
    exact,
    beyond,  // of lost operations: longer than that, it is not known by how much
  };
  Kind kind = Kind::unknown;
  std::uint64_t ns = 0;

  // Nothing unless it is exact.
  std::optional<std::uint64_t> exact() const {
    return kind == Kind::exact ? std::optional(ns) : std::nullopt;
  }
  bool operator==(const Ranked&) const = default;
};
// "1.2 ms"; "> 8.0 s" where lost operations stand, "-" with too few of them.
std::string ranked_text(const Ranked& ranked);

// A view of a cell's two histograms, which must outlive it.
class Ranks {
 public:
  Ranks(const Histogram& answered, const Histogram& lost) : m_answered(answered), m_lost(lost) {}

  std::uint64_t count() const { return m_answered.count() + m_lost.count(); }
  // Nearest rank; unknown with fewer than operations_needed().
  Ranked percentile(Quantile quantile) const;
  // The same with any number of operations but none.
  Ranked value_at(Quantile quantile) const;
  Ranked max() const;

 private:
  const Histogram& m_answered;
  const Histogram& m_lost;
};

inline Ranks service_ranks(const Cell& cell) {
  return {cell.latency.service(), cell.lost.service};
}
inline Ranks response_ranks(const Cell& cell) {
  return {cell.latency.response(), cell.lost.response};
}

// Of response times. With lost operations, each counts with the time it had waited, and the mean is
// a lower bound.
struct Mean {
  double ns = 0;  // 0 without operations
  bool at_least = false;
};
Mean mean_of(const Cell& cell);

}  // namespace radosload::record
