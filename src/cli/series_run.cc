#include "cli/series_run.h"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/series_preview.h"
#include "cli/terminal.h"
#include "plan/options.h"
#include "plan/validate.h"
#include "record/series_store.h"
#include "report/csv.h"
#include "report/series_text.h"
#include "run/series.h"

#include <fmt/core.h>

namespace radosload::cli {

namespace {

namespace fs = std::filesystem;

Status check_output(const RunWords& words) {
  if (!words.fio_logs.empty()) {
    return fail({.attempt = "write fio's logs",
                 .subject = "of a series of runs",
                 .reason = "they are about a single run",
                 .hint = "leave out --fio-logs",
                 .exit = Exit::usage});
  }
  if (!words.trace.empty()) {
    return fail({.attempt = "write a trace",
                 .subject = "of a series of runs",
                 .reason = "it is about a single run: its times count from the start of that",
                 .hint = "leave out --trace, or run the step that matters by itself",
                 .exit = Exit::usage});
  }
  const std::string& format = words.format;
  if (format == "text" || format == "json" || format == "csv") return {};
  return fail({.attempt = "print a series of runs",
               .subject = "as " + format,
               .reason = "that is a format of single runs",
               .hint =
                   "a sweep or suite has --format text, json and csv; each of its runs is saved "
                   "by itself, too",
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

Result<fs::path> find_series(const std::string& name) {
  RADOSLOAD_ASSIGN(const auto runs, open_store());
  RADOSLOAD_ASSIGN(const auto store, record::SeriesStore::beside(runs));
  return store.find(name);
}

// Where the document goes: where --save says, where it came from, or into the store.
std::optional<fs::path> document_for(const RunWords& words, const record::Series& series,
                                     const std::optional<fs::path>& came_from,
                                     const run::OutputOptions& output,
                                     record::ProgressListener& listener) {
  if (words.save == "none") return std::nullopt;
  if (!words.save.empty()) return words.save;
  if (came_from) return came_from;
  if (!output.store) return std::nullopt;
  const auto store = record::SeriesStore::beside(*output.store);
  if (store) return store->document_path(series.id);
  listener.note(fmt::format("{}\n  the series is not kept", store.error().message()));
  return std::nullopt;
}

bool is_own(const fs::path& document, const std::optional<fs::path>& came_from) {
  std::error_code ignored;
  return came_from && fs::equivalent(document, *came_from, ignored);
}

// What a killed process has left of it may still lie in the pool.
void tell_of_leftovers(const record::Series& series, record::ProgressListener& listener) {
  for (const record::SeriesStep& step : series.steps) {
    if (step.state != record::StepState::begun || step.plan.pool.empty()) continue;
    listener.note(
        fmt::format("{} was begun and never ended, and is run again\n  if its process was killed, "
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
    text += fmt::format("; this goes on with them:\n  radosload --resume {}",
                        stored ? series.id : result.saved_as);
    if (!stored) text += "\n  with --conf, --name and whatever else leads to the cluster";
  }
  warn(text);
}

std::string rendered(const std::string& format, const run::SeriesResult& result) {
  if (format == "json") return record::to_json(result.series);
  if (format == "csv") return report::series_csv(result.series);
  return report::series_text(result.series, result.saved_as);
}

Result<Exit> show(const RunWords& words, const run::SeriesResult& result) {
  bool measured = false;
  for (const auto& step : result.series.steps) measured = measured || step.record.has_value();
  if (!measured && result.stopped) return fail(*result.stopped);
  const Exit exit =
      print_result(rendered(words.format, result), result.exit, shown_again(result.saved_as));
  if (result.stopped) warn(result.stopped->message());
  tell_how_to_go_on(result);
  return exit;
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
    output.file.reset();  // that is the document's; steps are kept like any run
    const auto document = document_for(words, series, came_from, output, *terminal);
    if (document && is_own(*document, came_from)) output.existing = record::Existing::replace;
    std::optional<record::SeriesLock> lock;
    if (document) {
      RADOSLOAD_ASSIGN(auto locked, record::SeriesLock::take(*document));
      lock.emplace(std::move(locked));
    }
    tell_of_leftovers(series, *terminal);
    return run::execute_series(std::move(series), document, output, interrupts, *terminal);
  }();
  if (!result) return fail(std::move(result).error());
  return show(words, *result);
}

// Whether an option has a meaning beside --resume without the words of the series.
bool goes_with_resume(const std::string& name, bool from_file) {
  const plan::Option* const option = plan::find_option(name);
  if (option != nullptr) return from_file && option->from_file != plan::FromFile::kept;
  // These say what is run; what else is no option of a plan says what becomes of the result.
  return name != "each" && name != "rounds";
}

// A saved series has its own plan: other words beside --resume would go unheard.
Status check_alone(const RunWords& words) {
  const bool file = record::names_a_file(words.resume);
  for (const std::string& name : words.named) {
    if (goes_with_resume(name, file)) continue;
    return fail({.attempt = "resume",
                 .subject = words.resume,
                 .reason = fmt::format("--{} is given and no --pattern", name),
                 .hint = "--resume takes everything from the saved series; give all words of the "
                         "series again, or none",
                 .exit = Exit::usage});
  }
  return {};
}

// Whether the plan of a file wants a right that the command line has not given as well.
bool lacks_right(const plan::Option& option, const RunPlan& saved, const RunPlan& said) {
  if (option.from_file != plan::FromFile::said_again) return false;
  const auto wanted = option.get(saved);
  return wanted != option.get(RunPlan()) && wanted != option.get(said);
}

// A file may be somebody else's: it says what is measured, but not with whose keys, through which
// config, or that images of others may be overwritten.
Status take_rights_from_words(const RunWords& words, record::Series& series) {
  const RunPlan& said = words.request.plan;
  for (record::SeriesStep& step : series.steps) {
    for (const plan::Option& option : plan::options()) {
      if (!option.recorded()) continue;
      if (lacks_right(option, step.plan, said) && step.state != record::StepState::done) {
        return fail({.attempt = "go on with the series",
                     .subject = words.resume,
                     .reason = fmt::format("it says --{0} ({1}), and a file cannot allow that",
                                           option.name, option.help),
                     .hint = fmt::format("look at it with --dry-run --{0}; if that is meant, give "
                                         "--{0} again",
                                         option.name),
                     .exit = Exit::refused});
      }
      if (option.from_file != plan::FromFile::replaced) continue;
      const auto value = option.get(said).value_or("");
      if (auto set = plan::set_option(option, step.plan, value); !set) return set;
    }
    if (auto valid = plan::validate(step.plan); !valid) return valid;
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
  RADOSLOAD_ASSIGN(const auto saved, record::load_series(path));
  RADOSLOAD_ASSIGN(auto series, run::resume(saved, series_steps(steps)));
  return execute(words, std::move(series), path);
}

Result<Exit> resume_series(const RunWords& words) {
  RADOSLOAD_TRY(check_output(words));
  RADOSLOAD_TRY(check_alone(words));
  RADOSLOAD_ASSIGN(const auto path, find_series(words.resume));
  RADOSLOAD_ASSIGN(const auto saved, record::load_series(path));
  RADOSLOAD_ASSIGN(auto series, run::resume(saved));
  if (record::names_a_file(words.resume)) {
    RADOSLOAD_TRY(take_rights_from_words(words, series));
  }
  return execute(words, std::move(series), path);
}

}  // namespace radosload::cli
