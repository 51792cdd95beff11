// The keys of the pattern language as a table: what each means, to which patterns it applies, how
// its value is read and written. Internal to the room; patterns.h is what others use.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "plan/patterns.h"

namespace radosload::plan {

struct Key {
  KeyHelp help;
  bool (*applies)(const Pattern&);
  std::string_view why_not;  // completes "X means nothing to stat: ..." when it does not apply
  // Returns what is wrong with the value; empty when it was taken.
  std::string (*set)(Pattern&, std::string_view value);
  std::string (*get)(const Pattern&);
};

// Never with an exponent, which is not read.
std::string decimal_text(double value);

std::span<const Key> keys();
const Key* find_key(std::string_view name);

}  // namespace radosload::plan
