// The end of a warm-up of no planned length, in records and journals.
#include <cmath>

#include "record/codec.h"

#include <nlohmann/json.hpp>

namespace radosload::record::codec {

Json warmup_json(const Warmup& warmup) {
  return {{"length_s", seconds(warmup.length)},
          {"settled", warmup.settled},
          {"trouble", warmup.trouble}};
}

Warmup warmup_from(const Json& json) {
  constexpr double longest = 1e6;
  const double length = number_at(json, "length_s");
  if (!(length >= 0 && length <= longest)) refuse("the length of the warm-up is out of range");
  return {.length = Time(std::llround(length * ns_per_s)),
          .settled = bool_at(json, "settled"),
          .trouble = string_at(json, "trouble")};
}

}  // namespace radosload::record::codec
