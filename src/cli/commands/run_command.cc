#include <memory>
#include <set>
#include <string>
#include <unistd.h>
#include <utility>

#include "cli/commands/command.h"
#include "cli/commands/dry_run.h"
#include "cli/commands/each_run.h"
#include "cli/commands/fio_log_files.h"
#include "cli/commands/series_run.h"
#include "cli/commands/session_run.h"
#include "cli/options/display_options.h"
#include "cli/options/options.h"
#include "cli/options/run_words.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "html/page.h"
#include "plan/steps.h"
#include "report/format.h"
#include "run/clean_tries.h"
#include "run/run.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

// The report has been printed already, so an error here affects only the logs.
Exit exit_after_logs(const RunWords& words, const run::RunResult& result) {
  if (words.fio_logs.empty()) return result.exit;
  const auto written = write_fio_logs(words.fio_logs, result.record);
  if (written) return result.exit;
  warn(written.error().message());
  return result.exit == Exit::measured ? Exit::flawed : result.exit;
}

// Created before the run, so that a file that cannot be written is noticed before a long load.
Result<std::shared_ptr<trace::TraceWriter>> trace_of(const RunWords& words) {
  if (words.trace.empty()) return nullptr;
  return trace::TraceWriter::create(words.trace);
}

Result<Exit> do_single(const RunWords& words, const RunPlan& plan) {
  RADOSLOAD_ASSIGN(const auto format, report::parse_format(words.format));
  RADOSLOAD_TRY(check_save(words));
  RADOSLOAD_ASSIGN(const auto tries, clean_tries(words, plan));
  if (words.dry_run) return do_dry_run(words.format, plan);
  if (!words.fio_logs.empty()) {
    RADOSLOAD_TRY(prepare_fio_logs(words.fio_logs, plan));
  }
  RADOSLOAD_ASSIGN(auto trace, trace_of(words));
  base::Interrupts interrupts;
  auto result = [&] {
    const auto terminal =
        make_terminal(words.no_progress ? ProgressStyle::none : ProgressStyle::automatic);
    run::OutputOptions output = output_options(words, *terminal);
    output.trace = std::move(trace);
    const auto measure = [&] { return run::execute(plan, output, interrupts, *terminal); };
    return tries == 0 ? measure() : run::try_until_clean(tries, measure, *terminal);
  }();
  if (!result) return fail(result.error());
  const std::string text =
      report::render(result->record, format, result->saved_as, style_for(STDOUT_FILENO));
  const auto print = format == report::Format::text ? print_text : print_result;
  result->exit = print(text, result->exit, shown_again(result->saved_as));
  result->exit = exit_after_logs(words, *result);
  return exit_after_html(words, result->exit, [&] { return html::page(result->record); });
}

Status check_single(const RunWords& words, bool series) {
  if (!words.named.contains("require-clean") || !series) return {};
  return fail({.reason = "--require-clean is for a single run",
               .hint = "leave it out: the report of a series says which of its runs were disturbed",
               .exit = Exit::usage});
}

Status check_no_leave(const RunWords& words) {
  if (!words.leave) return {};
  return fail({.reason = "--leave needs --session",
               .hint = "leave it out: Ctrl-C ends a run that is one process",
               .exit = Exit::usage});
}

Status check_one_pattern(const RunWords& words) {
  if (!words.drive_profile || !words.named.contains("pattern")) return {};
  return fail({.reason = "--drive-profile is short for a --pattern, and another is given",
               .hint = "leave out one of the two",
               .exit = Exit::usage});
}

Result<Exit> do_run(const RunWords& words) {
  RADOSLOAD_TRY(check_one_pattern(words));
  RADOSLOAD_TRY(check_single(words, words.each || !words.resume.empty()));
  if (words.each || !words.resume.empty()) RADOSLOAD_TRY(check_no_leave(words));
  if (!words.resume.empty() && words.request.pattern.empty()) return resume_series(words);
  RADOSLOAD_ASSIGN(auto steps, plan::expand(words.request));
  if (words.each) return run_each(words, steps);
  if (words.named.contains("rounds")) {
    return fail({.reason = "--rounds needs --each",
                 .hint = "for example: --osd 0,3,6 --each --rounds 3",
                 .exit = Exit::usage});
  }
  RADOSLOAD_TRY(check_single(words, steps.series()));
  const RunPlan& first = steps.steps.front().plan;
  if (first.session.any() && (steps.series() || words.each)) {
    return fail({.reason = "--session is for a single run",
                 .hint = "leave out lists of values and suites, or --session",
                 .exit = Exit::usage});
  }
  if (first.session.any()) return run_in_session(words, first);
  RADOSLOAD_TRY(check_no_leave(words));
  if (steps.series()) return run_series(words, steps);
  if (!words.resume.empty()) {
    return fail({.attempt = "resume",
                 .subject = words.resume,
                 .reason = "these options describe one run; only sweeps and suites can be resumed",
                 .hint = fmt::format("continue the saved series with 'radosload --resume {}'",
                                     words.resume),
                 .exit = Exit::usage});
  }
  return do_single(words, steps.steps.front().plan);
}

}  // namespace

void add_run(CLI::App& program, Action& chosen, const std::set<std::string>& from_files) {
  auto* const command = program.add_subcommand(
      "run", "Put a load on a pool and measure it (the word run may be left out)");
  auto words = std::make_shared<RunWords>();
  add_run_words(*command, *words);
  add_cluster_options(*command, words->request.plan.cluster);
  command->final_callback([command, words, &chosen, &from_files] {
    order_options(*command, *words, from_files);
    chosen = [words] { return do_run(*words); };
  });
}

}  // namespace radosload::cli
