#include "cli/commands/dry_run.h"

#include "cli/options/run_words.h"
#include "cli/output.h"
#include "prepare/preview.h"
#include "views/preview_text.h"

namespace radosload::cli {

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

}  // namespace radosload::cli
