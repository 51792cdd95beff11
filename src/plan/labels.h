// The labels of a run, as in --label rack=3: what they may be, and their text.
#pragma once

#include <string>
#include <string_view>

#include "radosload/run_plan.h"

#include "plan/refusal.h"

namespace radosload::plan {

inline constexpr std::size_t most_labels = 32;
inline constexpr std::size_t longest_label_key = 64;     // bytes
inline constexpr std::size_t longest_label_value = 200;  // bytes

// "host=node1,rack=3": by their keys. Empty without labels.
std::string labels_text(const Labels& labels);
// The reverse. The last value of a key holds, so that the command line overrules config files.
Refusal read_labels(Labels& labels, std::string_view text);

// Whether all labels in `wanted` are among `labels`.
bool has_labels(const Labels& labels, const Labels& wanted);

}  // namespace radosload::plan
