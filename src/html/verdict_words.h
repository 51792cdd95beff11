// Findings in sentences. Pure, and internal to the room.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study/arm_figures.h"

namespace radosload::html {

// "For OSDs of this kind: B is slower than A by read p99_us, 1.25 times as much (95 % interval 1.1
// to 1.4)"
std::string finding_sentence(const study::Contest& contest, const stats::Finding& finding,
                             const stats::ArmRules& rules);
// "this kind", "these OSDs": in tables and pictures.
std::string_view scope_words(stats::Scope scope);
// What more there is to say of the findings, each once: "All findings: withheld, because ...".
std::vector<std::string> finding_notes(const std::vector<study::Contest>& contests);
// The finding of the wider scope that could be assessed.
const stats::Finding& widest_finding(const study::Contest& contest);

}  // namespace radosload::html
