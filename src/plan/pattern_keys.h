// The keys of the pattern language as a table: what each means, to which patterns it applies, how
// its value is read and written. Internal to the room; others use patterns.h.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "plan/patterns.h"
#include "plan/refusal.h"

namespace radosload::plan {

struct Key {
  KeyHelp help;
  bool (*applies)(const Pattern&);
  std::string_view why_not;  // "create has no key read: WHY_NOT", when it does not apply
  Refusal (*set)(Pattern&, std::string_view value);
  std::string (*get)(const Pattern&);
};

// Never with an exponent, which is not read.
std::string decimal_text(double value);

// "a list of values uses colons: qd=1:4", for a list that was written with commas. `before` is what
// stands before the values: "qd=", "--qd ".
std::string colons_hint(std::string_view before, std::string_view values);

std::span<const Key> keys();
const Key* find_key(std::string_view name);

}  // namespace radosload::plan
