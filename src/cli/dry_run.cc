#include "cli/dry_run.h"

#include "cli/output.h"
#include "cli/run_words.h"
#include "prepare/preview.h"
#include "views/preview_text.h"

namespace radosload::cli {

Result<Exit> do_dry_run(const std::string& format, const RunPlan& plan) {
  if (format != "text" && format != "json") {
    return fail({.attempt = "show the plan",
                 .subject = "as " + format,
                 .reason = "that is a format of results",
                 .hint = "--dry-run goes with --format text or json",
                 .exit = Exit::usage});
  }
  RADOSLOAD_ASSIGN(const auto preview, prepare::preview(plan, program_name));
  const Exit exit =
      print_result(format == "json" ? views::preview_json(preview) : views::preview_text(preview));
  if (preview.refusal) return fail(*preview.refusal);
  return exit;
}

}  // namespace radosload::cli
