// Reads and writes the rate of an open loop in the form of --rate.
#pragma once

#include <string>
#include <string_view>

#include "radosload/pattern.h"
#include "radosload/result.h"

namespace radosload::plan {

// "5000", "5000/s", "0.5/s,poisson", "200,constant" (which is the default law).
Result<Arrival> parse_arrival(std::string_view text);
// "5000/s,poisson", "closed"; the former reads back to the same Arrival.
std::string option_text(const Arrival& arrival);

}  // namespace radosload::plan
