#include "cli/commands/dry_run.h"

#include <optional>

#include "cli/options/run_words.h"
#include "cli/output.h"
#include "prepare/preview.h"
#include "prepare/preview_steps.h"
#include "run/series_runner.h"
#include "views/preview_text.h"
#include "views/series_preview.h"

namespace radosload::cli {

namespace {

// The total length of the steps that are still to run; empty if one of them has no time limit.
std::optional<Time> length_of_series(const record::Series& series) {
  Time sum{0};
  for (const record::SeriesStep& step : series.steps) {
    if (step.state == record::StepState::done) continue;
    const Time length = run::planned_length(step.plan);
    if (length == Time(0)) return std::nullopt;
    sum += length;
  }
  return sum;
}

}  // namespace

Status check_preview_format(const std::string& format) {
  if (format == "text" || format == "json") return {};
  return fail({.attempt = "show the plan",
               .subject = "as " + format,
               .reason = "that is a format for results, and a dry run has none",
               .hint = "--dry-run goes with --format text or json",
               .exit = Exit::usage});
}

Result<Exit> do_dry_run(const std::string& format, const RunPlan& plan) {
  RADOSLOAD_TRY(check_preview_format(format));
  RADOSLOAD_ASSIGN(const auto preview, prepare::preview(plan, program_name));
  const Exit exit =
      print_result(format == "json" ? views::preview_json(preview) : views::preview_text(preview));
  if (preview.refusal) return fail(*preview.refusal);
  return exit;
}

Result<Exit> preview_series(const record::Series& series, const std::string& format) {
  RADOSLOAD_TRY(check_preview_format(format));
  RADOSLOAD_ASSIGN(const auto groups, prepare::preview_steps(series, program_name));
  const views::SeriesPreview shown{
      .series = series, .groups = groups, .length = length_of_series(series)};
  const Exit exit = print_result(format == "json" ? views::series_preview_json(shown)
                                                  : views::series_preview_text(shown));
  for (const prepare::StepsPreview& group : groups) {
    if (group.preview.refusal) return fail(*group.preview.refusal);
  }
  return exit;
}

}  // namespace radosload::cli
