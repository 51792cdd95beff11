// Verdicts on arms: what `radosload compare` does with --csv, --against and --by.
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
  // An option that was given although there are no arms.
  std::optional<std::string> needless() const;
};

void add_arm_options(CLI::App& command, ArmWords& words);
// `runs`: the first arm of --against.
Result<Exit> compare_arms(const std::vector<std::string>& runs, const ArmWords& words,
                          const std::string& format);

// The cells of a study, divided otherwise than into its arms. `exit`: unless a verdict is asked
// for.
Result<Exit> compare_study_by(const study::StudyDocument& document, const ArmWords& words,
                              const std::string& format, Exit exit);

// Whether the verdicts are what --fail-if names: by what the primary metric shows, or any metric
// where none is primary.
bool is_met(const std::string& fail_if, const views::Verdicts& verdicts);
// As text, json, markdown or go-bench.
std::string verdicts_in(const views::Verdicts& verdicts, const std::string& format);
// What an HTML page of verdicts keeps, judged again: the same verdicts.
Result<Exit> compare_kept(const html::Kept& kept, const ArmWords& words, const std::string& format);

}  // namespace radosload::cli
