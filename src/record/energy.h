// What a run took of electric power, and what an operation costs in energy. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/units.h"

namespace radosload::record {

// A figure with the interval that holds the true one with 95 % confidence.
struct Estimated {
  double value = 0;
  std::optional<double> low = {};   // empty: too short to tell, or without bound
  std::optional<double> high = {};  // the same
  bool operator==(const Estimated&) const = default;
};

struct PowerSource {
  std::string name;                   // "RAPL package-0"
  std::optional<double> idle_w = {};  // before the run, without load; empty: not known
  std::optional<double> mean_w = {};  // in the measured phase; empty: not known
  std::string missing = {};           // since when and why it is not known; empty: it always is
  bool operator==(const PowerSource&) const = default;
};

struct Energy {
  std::vector<PowerSource> sources = {};
  Time idle_length{0};                // for how long idle_w was measured; 0: it was not
  std::optional<double> idle_w = {};  // of all sources together; empty: not known
  // How much of the measured phase has the power of all sources; and of this time alone:
  Time known{0};
  double joules = 0;
  std::uint64_t ops = 0;  // that finished
  std::optional<Estimated> joules_per_op = {};
  std::optional<Estimated> net_joules_per_op = {};  // above idle_w
  bool operator==(const Energy&) const = default;
};

// Of all sources together; empty when no power is known.
std::optional<double> mean_watts(const Energy& energy);
// Operations for a joule, which is the same as IOPS for a watt.
std::optional<Estimated> ops_per_joule(const Energy& energy);
// ... above the power without load: only where that is certain to be above 0. What lies within the
// scatter or the last digit of the meter is not a figure.
std::optional<Estimated> net_ops_per_joule(const Energy& energy);

}  // namespace radosload::record
