#include "cli/commands/series_run.h"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands/dry_run.h"
#include "cli/commands/file_rights.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "html/page.h"
#include "record/series_store.h"
#include "report/format.h"
#include "run/series_runner.h"

#include <fmt/core.h>

namespace radosload::cli {

namespace {

namespace fs = std::filesystem;

Status check_output(const RunWords& words) {
  if (!words.fio_logs.empty()) {
    return fail({.attempt = "write fio's logs",
                 .subject = "of a series of runs",
                 .reason = "--fio-logs is for a single run",
                 .hint = "leave out --fio-logs, or run one step by itself",
                 .exit = Exit::usage});
  }
  if (!words.trace.empty()) {
    return fail({.attempt = "write a trace",
                 .subject = "of a series of runs",
                 .reason = "--trace is for a single run",
                 .hint = "leave out --trace, or run one step by itself",
                 .exit = Exit::usage});
  }
  if (report::is_series_format(words.format)) return {};
  return fail(
      {.attempt = "print a series of runs",
       .subject = "as " + words.format,
       .reason = "that format is for a single run",
       .hint = "use --format text, json or csv; each run of the series is also saved by itself",
       .exit = Exit::usage});
}

std::vector<record::SeriesStep> series_steps(const plan::Steps& steps) {
  std::vector<record::SeriesStep> result;
  for (const plan::Step& step : steps.steps) {
    record::SeriesStep one;
    one.name = step.name;
    one.plan = step.plan;
    for (const auto& setting : step.settings) one.settings.emplace_back(setting.key, setting.value);
    result.push_back(std::move(one));
  }
  return result;
}

Result<record::Series> load_saved(const fs::path& path) {
  auto series = record::load_series(path);
  if (series || !series.error().hint.empty()) return series;
  Error error = std::move(series).error();
  error.hint = "'radosload list' shows the IDs of saved series";
  return fail(std::move(error));
}

Result<fs::path> find_series(const std::string& name) {
  RADOSLOAD_ASSIGN(const auto runs, open_store());
  RADOSLOAD_ASSIGN(const auto store, record::SeriesStore::beside(runs));
  return store.find(name);
}

// The file of the document: that of --save, the file that it was read from, or one in the store.
std::optional<fs::path> document_for(const RunWords& words, const record::Series& series,
                                     const std::optional<fs::path>& came_from,
                                     const run::OutputOptions& output,
                                     record::ProgressListener& listener) {
  if (words.save == "none") return std::nullopt;
  if (!words.save.empty()) return words.save;
  if (came_from) return came_from;
  if (!output.store) return std::nullopt;
  const auto store = record::SeriesStore::beside(*output.store);
  const Status made = store ? store->create() : fail(store.error());
  if (made) return store->document_path(series.id);
  listener.note(fmt::format("{}\n  the series will not be saved", made.error().message()));
  return std::nullopt;
}

bool is_own(const fs::path& document, const std::optional<fs::path>& came_from) {
  std::error_code ignored;
  return came_from && fs::equivalent(document, *came_from, ignored);
}

// A killed process may have left objects in the pool.
void tell_of_leftovers(const record::Series& series, record::ProgressListener& listener) {
  for (const record::SeriesStep& step : series.steps) {
    if (step.state != record::StepState::begun || step.plan.pool.empty()) continue;
    listener.note(
        fmt::format("{} was started but did not end; it runs again\n  if radosload was killed, "
                    "'radosload cleanup --pool {}' removes what it left",
                    step.name, step.plan.pool));
  }
}

void tell_how_to_go_on(const run::SeriesResult& result) {
  const record::Series& series = result.series;
  if (series.complete()) return;
  std::string text = fmt::format("{} of {} steps are not done", series.steps.size() - series.done(),
                                 series.steps.size());
  if (!result.saved_as.empty()) {
    const bool stored = result.saved_as.ends_with("/series/" + series.id + ".json");
    text += fmt::format("; to continue:\n  radosload --resume {}",
                        stored ? series.id : result.saved_as);
    if (!stored) text += "\n  with --conf, --name and other options for the cluster";
  }
  warn(text);
}

Result<Exit> show(const RunWords& words, const run::SeriesResult& result) {
  bool measured = false;
  for (const auto& step : result.series.steps) measured = measured || step.record.has_value();
  if (!measured && result.stopped) return fail(*result.stopped);
  const Exit exit = (words.format == "text" ? print_text : print_result)(
      report::render(result.series, words.format, result.saved_as), result.exit,
      shown_again(result.saved_as));
  if (result.stopped) warn(result.stopped->message());
  tell_how_to_go_on(result);
  return exit_after_html(words, exit, [&] { return html::page(result.series); });
}

Result<Exit> execute(const RunWords& words, record::Series series,
                     const std::optional<fs::path>& came_from) {
  RADOSLOAD_TRY(check_save(words, came_from));
  if (words.dry_run) return preview_series(series, words.format);
  base::Interrupts interrupts;
  auto result = [&]() -> Result<run::SeriesResult> {
    const auto terminal =
        make_terminal(words.no_progress ? ProgressStyle::none : ProgressStyle::automatic);
    run::OutputOptions output = output_options(words, *terminal);
    output.file.reset();  // --save names the document; steps are saved in the store like any run
    const auto document = document_for(words, series, came_from, output, *terminal);
    if (document && is_own(*document, came_from)) output.existing = record::Existing::replace;
    std::optional<record::SeriesLock> lock;
    if (document) {
      RADOSLOAD_ASSIGN(auto locked, record::SeriesLock::acquire(*document));
      lock.emplace(std::move(locked));
    }
    tell_of_leftovers(series, *terminal);
    return run::execute_series(std::move(series), document, output, interrupts, *terminal);
  }();
  if (!result) return fail(std::move(result).error());
  return show(words, *result);
}

// Whether an option can be combined with --resume if --pattern is not given.
bool goes_with_resume(const std::string& name, bool from_file) {
  const plan::Option* const option = plan::find_option(name);
  if (option != nullptr) return from_file && option->from_file != plan::FromFile::kept;
  // Other options that are not part of a plan are about the output.
  return name != "each" && name != "rounds";
}

// A saved series has its own plan, so other options would be ignored.
Status check_alone(const RunWords& words) {
  const bool file = record::names_a_file(words.resume);
  for (const std::string& name : words.named) {
    if (goes_with_resume(name, file)) continue;
    return fail(
        {.attempt = "resume",
         .subject = words.resume,
         .reason = fmt::format("--resume takes all options from the saved series, but --{} is "
                               "given",
                               name),
         .hint = fmt::format("leave out --{}, or give all options of the series again, with "
                             "--pattern",
                             name),
         .exit = Exit::usage});
  }
  return {};
}

Status take_rights_from_words(const RunWords& words, record::Series& series) {
  const RunPlan& said = words.request.plan;
  for (record::SeriesStep& step : series.steps) {
    const auto* const lacking =
        step.state == record::StepState::done ? nullptr : right_not_given(step.plan, said);
    if (lacking != nullptr) {
      return fail({.attempt = "continue the series",
                   .subject = words.resume,
                   .reason = fmt::format("the file has --{} ({}), which a file cannot permit",
                                         lacking->name, lacking->help),
                   .hint = fmt::format("check it with --dry-run --{0}; to permit it, add --{0}",
                                       lacking->name),
                   .exit = Exit::refused});
    }
    RADOSLOAD_TRY(replace_rights(step.plan, said));
  }
  return {};
}

}  // namespace

Result<Exit> run_series(const RunWords& words, const plan::Steps& steps) {
  RADOSLOAD_TRY(check_output(words));
  if (words.resume.empty()) {
    auto series = run::new_series(series_steps(steps), program_name);
    series.title = steps.title;
    series.suite = steps.suite;
    return execute(words, std::move(series), std::nullopt);
  }
  RADOSLOAD_ASSIGN(const auto path, find_series(words.resume));
  RADOSLOAD_ASSIGN(const auto saved, load_saved(path));
  RADOSLOAD_ASSIGN(auto series, run::resume(saved, series_steps(steps)));
  return execute(words, std::move(series), path);
}

Result<Exit> resume_series(const RunWords& words) {
  RADOSLOAD_TRY(check_output(words));
  RADOSLOAD_TRY(check_alone(words));
  RADOSLOAD_ASSIGN(const auto path, find_series(words.resume));
  RADOSLOAD_ASSIGN(const auto saved, load_saved(path));
  RADOSLOAD_ASSIGN(auto series, run::resume(saved));
  if (record::names_a_file(words.resume)) {
    RADOSLOAD_TRY(take_rights_from_words(words, series));
  }
  return execute(words, std::move(series), path);
}

}  // namespace radosload::cli
