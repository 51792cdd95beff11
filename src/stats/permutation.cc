#include "stats/permutation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace radosload::stats {

namespace {

// Twice the mean rank of each value, so that all are whole.
std::vector<std::size_t> doubled_ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<std::size_t> ranks(values.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from + 1;
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    for (std::size_t i = from; i < to; ++i) ranks[order[i]] = from + to + 1;
    from = to;
  }
  return ranks;
}

std::size_t distance(std::size_t one, std::size_t other) {
  return one > other ? one - other : other - one;
}

// Of all choices of `taken` ranks, the share whose sum is as far from its mean as `sum`, or
// farther.
double counted_splits(const std::vector<std::size_t>& ranks, std::size_t taken, std::size_t sum) {
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::vector<std::vector<double>> ways(taken + 1, std::vector<double>(total + 1, 0));
  ways[0][0] = 1;
  for (const std::size_t rank : ranks) {
    for (std::size_t k = taken; k > 0; --k) {
      for (std::size_t s = total; s >= rank; --s) ways[k][s] += ways[k - 1][s - rank];
    }
  }
  const std::size_t mean = total * taken;  // times the number of ranks
  const std::size_t seen = distance(sum * ranks.size(), mean);
  double far = 0;
  double all = 0;
  for (std::size_t s = 0; s <= total; ++s) {
    all += ways[taken][s];
    if (distance(s * ranks.size(), mean) >= seen) far += ways[taken][s];
  }
  return std::min(1.0, far / all);
}

double drawn(std::vector<std::size_t> ranks, std::size_t taken, std::size_t sum,
             std::uint64_t seed) {
  Random random(seed, "splits");
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  const std::size_t seen = distance(sum * ranks.size(), total * taken);
  std::size_t far = 1;  // the split at hand is one of them
  for (std::size_t i = 0; i < drawn_splits; ++i) {
    std::size_t drawn_sum = 0;
    for (std::size_t k = 0; k < taken; ++k) {
      std::swap(ranks[k], ranks[k + random.below(ranks.size() - k)]);
      drawn_sum += ranks[k];
    }
    if (distance(drawn_sum * ranks.size(), total * taken) >= seen) ++far;
  }
  return static_cast<double>(far) / static_cast<double>(drawn_splits + 1);
}

double counted_signs(const std::vector<std::size_t>& ranks, std::size_t sum) {
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::vector<double> ways(total + 1, 0);
  ways[0] = 1;
  for (const std::size_t rank : ranks) {
    for (std::size_t s = total; s >= rank; --s) ways[s] += ways[s - rank];
  }
  const std::size_t seen = distance(2 * sum, total);
  double far = 0;
  for (std::size_t s = 0; s <= total; ++s) {
    if (distance(2 * s, total) >= seen) far += ways[s];
  }
  return std::min(1.0, far / std::exp2(static_cast<double>(ranks.size())));
}

double drawn_signs(const std::vector<std::size_t>& ranks, std::size_t sum, std::uint64_t seed) {
  Random random(seed, "signs");
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::size_t far = 1;
  for (std::size_t i = 0; i < drawn_splits; ++i) {
    std::size_t drawn_sum = 0;
    for (const std::size_t rank : ranks) drawn_sum += random.below(2) == 0 ? rank : 0;
    if (distance(2 * drawn_sum, total) >= distance(2 * sum, total)) ++far;
  }
  return static_cast<double>(far) / static_cast<double>(drawn_splits + 1);
}

}  // namespace

double split_p(std::span<const double> first, std::span<const double> second, std::uint64_t seed) {
  if (first.empty() || second.empty()) return 1;
  // The smaller sample is the one that is drawn: the distance from the mean is the same for both.
  const bool swap = second.size() < first.size();
  std::vector<double> values(swap ? second.begin() : first.begin(),
                             swap ? second.end() : first.end());
  const std::size_t taken = values.size();
  const auto rest = swap ? first : second;
  values.insert(values.end(), rest.begin(), rest.end());
  const auto ranks = doubled_ranks(values);
  const auto end = ranks.begin() + static_cast<std::ptrdiff_t>(taken);
  const std::size_t sum = std::accumulate(ranks.begin(), end, std::size_t{0});
  return ranks.size() <= most_counted ? counted_splits(ranks, taken, sum)
                                      : drawn(ranks, taken, sum, seed);
}

double sign_p(std::span<const double> differences, std::uint64_t seed) {
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (const double difference : differences) {
    if (difference == 0) continue;
    sizes.push_back(std::abs(difference));
    positive.push_back(difference > 0);
  }
  if (sizes.empty()) return 1;
  const auto ranks = doubled_ranks(sizes);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) sum += positive[i] ? ranks[i] : 0;
  return ranks.size() <= most_counted ? counted_signs(ranks, sum) : drawn_signs(ranks, sum, seed);
}

}  // namespace radosload::stats
