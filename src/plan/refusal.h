// Why an option or a pattern's key does not take a value, and what to write instead. It becomes
// part of an Error once the name of the option is known.
#pragma once

#include <string>

namespace radosload::plan {

// Empty when the value was taken.
struct Refusal {
  std::string reason = {};
  std::string hint = {};

  bool empty() const { return reason.empty(); }
};

}  // namespace radosload::plan
