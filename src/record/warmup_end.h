// How a warm-up ended that lasts until the load is steady (`--warmup auto`).
#pragma once

#include <string>

#include "radosload/units.h"

namespace radosload::record {

struct Warmup {
  Time length{0};
  bool settled = false;
  std::string trouble;  // what still changed when it did not settle
  bool operator==(const Warmup&) const = default;
};

}  // namespace radosload::record
