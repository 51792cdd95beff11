#include "cli/dry_run.h"

#include "cli/output.h"
#include "cli/preview_text.h"
#include "cli/run_words.h"
#include "run/preview.h"

namespace radosload::cli {

Result<Exit> do_dry_run(const std::string& format, const RunPlan& plan) {
  if (format != "text" && format != "json") {
    return fail({.attempt = "show the plan",
                 .subject = "as " + format,
                 .reason = "that is a format of results",
                 .hint = "--dry-run goes with --format text or json",
                 .exit = Exit::usage});
  }
  run::Keeping nowhere;
  nowhere.program = program_name;
  const auto preview = run::preview(plan, nowhere);
  if (!preview) return fail(preview.error());
  const Exit exit =
      print_result(format == "json" ? preview_json(*preview) : preview_text(*preview));
  if (preview->refusal) return fail(*preview->refusal);
  return exit;
}

}  // namespace radosload::cli
