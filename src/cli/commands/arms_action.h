// Verdicts on arms: `radosload compare` with --csv, --against or --by.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "cli/commands/html_file.h"
#include "html/data.h"
#include "study/document.h"
#include "views/verdicts.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

// Levels and thresholds are given in percent.
inline constexpr double per_cent = 100;

struct ArmWords {
  std::string csv;
  std::vector<std::string> against;
  std::string by;
  std::string primary;
  double threshold_percent = 5;
  double level_percent = 95;
  std::string fail_if;
  bool require_clean = false;
  bool force = false;
  HtmlFile page = {.path = {}, .overwrite = false, .option = "-o"};  // empty path: print
  bool any() const { return !csv.empty() || !against.empty() || !by.empty(); }
  // An option that has no effect because no arms were given.
  std::optional<std::string> needless() const;
};

void add_arm_options(CLI::App& command, ArmWords& words);
// `runs`: the first arm of --against.
Result<Exit> compare_arms(const std::vector<std::string>& runs, const ArmWords& words,
                          const std::string& format);

// Compares the cells of a study by another property than its arms. `exit`: the status unless
// --fail-if is met.
Result<Exit> compare_study_by(const study::StudyDocument& document, const ArmWords& words,
                              const std::string& format, Exit exit);

// Whether --fail-if is met: by the primary metric's verdict, or by any verdict if no metric is
// primary.
bool is_met(const std::string& fail_if, const views::Verdicts& verdicts);
// As text, json, markdown or go-bench.
std::string verdicts_in(const views::Verdicts& verdicts, const std::string& format);
// Judges the figures in an HTML page of verdicts again; the verdicts are the same.
Result<Exit> compare_kept(const html::Kept& kept, const ArmWords& words, const std::string& format);

}  // namespace radosload::cli
