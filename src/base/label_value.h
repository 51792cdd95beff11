// The value of a label as Prometheus reads it.
#pragma once

#include <string>
#include <string_view>

namespace radosload::base {

// It may hold any text: a backslash and a quote are escaped, and what cannot be printed is as
// printable() shows it.
std::string label_value(std::string_view text);

}  // namespace radosload::base
