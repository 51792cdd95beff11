#include "record/energy.h"

namespace radosload::record {

namespace {

std::optional<double> reciprocal(std::optional<double> value) {
  if (!value || *value <= 0) return std::nullopt;
  return 1 / *value;
}

std::optional<Estimated> inverse(const std::optional<Estimated>& joules_per_op) {
  if (!joules_per_op) return std::nullopt;
  const auto value = reciprocal(joules_per_op->value);
  if (!value) return std::nullopt;
  return Estimated{.value = *value,
                   .low = reciprocal(joules_per_op->high),
                   .high = reciprocal(joules_per_op->low)};
}

}  // namespace

std::optional<double> mean_watts(const Energy& energy) {
  if (energy.known <= Time(0)) return std::nullopt;
  return energy.joules / seconds(energy.known);
}

std::optional<Estimated> ops_per_joule(const Energy& energy) {
  return inverse(energy.joules_per_op);
}

std::optional<Estimated> net_ops_per_joule(const Energy& energy) {
  const auto& joules = energy.net_joules_per_op;
  const bool above_zero = joules && joules->low && *joules->low > 0;
  return above_zero ? inverse(joules) : std::nullopt;
}

}  // namespace radosload::record
