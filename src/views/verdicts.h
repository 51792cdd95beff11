// Verdicts on arms, as people and programs read them: text, Markdown, JSON, and the figures beneath
// them as lines of Go benchmarks, which benchstat reads. Pure.
#pragma once

#include <string>
#include <vector>

#include "study/arm_figures.h"

namespace radosload::views {

struct Verdicts {
  stats::ArmRules rules;
  std::vector<study::ArmFigure> figures;
  std::vector<study::Contest> contests;
  std::vector<std::string> warnings;
};

std::string verdicts_text(const Verdicts& verdicts);
std::string verdicts_markdown(const Verdicts& verdicts);
// Text for Markdown, also as a cell of a table, which a bar would end.
std::string markdown_text(const std::string& text);
// How results came about, and what would make them better: "read p99_us this-kind: ...", each once.
std::vector<std::string> verdict_notes(const Verdicts& verdicts);
// {schema: "radosload.verdicts/1", threshold, level, primary, verdicts: [{base, other, metric,
//  better, scope, ratio, ci_low, ci_high, method, p, n_a, n_b, level, verdict, ...}], warnings}
std::string verdicts_json(const Verdicts& verdicts);
std::string verdicts_go_bench(const Verdicts& verdicts);

}  // namespace radosload::views
