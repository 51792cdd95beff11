#include "record/energy.h"

namespace radosload::record {

namespace {

std::optional<double> reciprocal(std::optional<double> value) {
  if (!value || *value <= 0) return std::nullopt;
  return 1 / *value;
}

}  // namespace

std::optional<double> mean_watts(const Energy& energy) {
  if (energy.known <= Time(0)) return std::nullopt;
  return energy.joules / seconds(energy.known);
}

std::optional<Estimated> ops_per_joule(const std::optional<Estimated>& joules_per_op) {
  if (!joules_per_op) return std::nullopt;
  const auto value = reciprocal(joules_per_op->value);
  if (!value) return std::nullopt;
  return Estimated{.value = *value,
                   .low = reciprocal(joules_per_op->high),
                   .high = reciprocal(joules_per_op->low)};
}

}  // namespace radosload::record
