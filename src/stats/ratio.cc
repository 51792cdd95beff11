#include "stats/ratio.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/student.h"

namespace radosload::stats {

namespace {

constexpr double upper_tail = 0.975;  // of 95 %, on both sides

RatioPart sum_of_parts(std::span<const RatioPart> parts) {
  RatioPart sum;
  for (const RatioPart& part : parts) {
    sum.seconds += part.seconds;
    sum.over += part.over;
    sum.under += part.under;
  }
  return sum;
}

// Stretches of about the same length; parts of a long run's past are longer than others.
std::vector<RatioPart> batches_of(std::span<const RatioPart> parts, double seconds) {
  const std::size_t count = parts.size() >= batches ? batches : least_batches;
  std::vector<std::vector<RatioPart>> groups(count);
  double passed = 0;
  for (const RatioPart& part : parts) {
    const double middle = passed + part.seconds / 2;
    const auto place = static_cast<std::size_t>(middle / seconds * static_cast<double>(count));
    groups[std::min(place, count - 1)].push_back(part);
    passed += part.seconds;
  }
  std::vector<RatioPart> found;
  for (const auto& group : groups) {
    if (!group.empty()) found.push_back(sum_of_parts(group));
  }
  return found;
}

struct RatioVariance {
  double value = 0;
  double degrees = 1;
};

// Of the ratio of sums, from how far each batch lies from it.
std::optional<RatioVariance> scatter_of_batches(std::span<const RatioPart> parts,
                                                const RatioPart& sum, double ratio,
                                                double subtracted) {
  if (parts.size() < least_batches || !(sum.seconds > 0)) return std::nullopt;
  const std::vector<RatioPart> groups = batches_of(parts, sum.seconds);
  if (groups.size() < least_batches) return std::nullopt;
  double squares = 0;
  for (const RatioPart& group : groups) {
    const double rest = group.over - subtracted * group.seconds - ratio * group.under;
    squares += rest * rest;
  }
  const auto count = static_cast<double>(groups.size());
  return RatioVariance{.value = squares * count / (count - 1) / (sum.under * sum.under),
                       .degrees = count - 1};
}

// Of a sum of two estimates (Welch and Satterthwaite).
RatioVariance added_variance(const RatioVariance& one, const RatioVariance& other) {
  const double value = one.value + other.value;
  const double denominator =
      one.value * one.value / one.degrees + other.value * other.value / other.degrees;
  if (!(denominator > 0)) return {.value = value, .degrees = one.degrees};
  return {.value = value, .degrees = value * value / denominator};
}

}  // namespace

std::optional<Ratio> ratio_of_sums(std::span<const RatioPart> parts, const Subtracted& subtracted) {
  const RatioPart sum = sum_of_parts(parts);
  if (!(sum.under > 0)) return std::nullopt;
  Ratio ratio{.value = (sum.over - subtracted.per_second * sum.seconds) / sum.under};
  const auto scatter = scatter_of_batches(parts, sum, ratio.value, subtracted.per_second);
  if (!scatter || !subtracted.variance) return ratio;
  const double share = sum.seconds / sum.under;
  const RatioVariance all =
      added_variance(*scatter, {.value = *subtracted.variance * share * share,
                                .degrees = std::max(1.0, subtracted.degrees)});
  const double reach = student_quantile(upper_tail, all.degrees) * std::sqrt(all.value);
  ratio.low = ratio.value - reach;
  ratio.high = ratio.value + reach;
  return ratio;
}

}  // namespace radosload::stats
