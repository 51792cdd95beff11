// `radosload report`: prints a saved run, series or timing, in any of the formats it was printed
// in.

#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "cli/commands/command.h"
#include "cli/commands/fio_log_files.h"
#include "cli/commands/html_file.h"
#include "cli/commands/saved.h"
#include "cli/commands/study_page.h"
#include "cli/commands/study_saved.h"
#include "cli/options/display_options.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "html/page.h"
#include "record/series.h"
#include "record/series_store.h"
#include "record/timing_store.h"
#include "report/format.h"
#include "views/timers_text.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

struct ReportWords {
  std::vector<std::string> names;
  const std::string& name() const { return names.front(); }
  std::string format = "text";
  std::string fio_logs;
  HtmlFile page = {.path = {}, .overwrite = false, .option = "-o"};  // empty path: print
};

Result<Exit> show_timing(const ReportWords& words, const std::filesystem::path& document) {
  RADOSLOAD_ASSIGN(const auto text, record::load_timing(document));
  RADOSLOAD_ASSIGN(const auto timing, views::timers_from_json(text, document.string()));
  if (!words.fio_logs.empty() || !report::is_series_format(words.format)) {
    return fail({.attempt = "show the timing",
                 .subject = words.name(),
                 .reason =
                     "a timing can be printed as text, json and csv; --fio-logs and the other "
                     "formats are for runs",
                 .hint = "choose --format text, json or csv",
                 .exit = Exit::usage});
  }
  // The document as it was saved, including keys that a newer version may have added.
  if (words.format == "json") return print_result(text);
  if (words.format == "csv") return print_result(views::timers_csv(timing.shown, timing.session));
  return print_text(views::timers_text(timing.shown, timing.session, document.string()));
}

tl::unexpected<Error> wrong_page(const ReportWords& words, std::string reason, std::string hint) {
  return fail({.attempt = "write the report to",
               .subject = words.page.path,
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

Status check_page(const ReportWords& words) {
  if (words.page.path.empty()) {
    if (!words.page.overwrite) return {};
    return fail({.reason = "--overwrite needs --output",
                 .hint = "for example: -o report.html --overwrite",
                 .exit = Exit::usage});
  }
  if (words.format != "text" || !words.fio_logs.empty()) {
    return wrong_page(words, "--output cannot be combined with --format, --json or --fio-logs",
                      "run the command once for each");
  }
  return check_html(words.page);
}

// A single series has its own form of page; together with runs, its steps are shown as runs.
Result<Exit> save_page(const ReportWords& words) {
  if (words.names.size() == 1) {
    RADOSLOAD_ASSIGN(const auto series, load_series_named(words.name()));
    if (series) {
      RADOSLOAD_TRY(write_html(words.page, html::page(*series)));
      return Exit::measured;
    }
  }
  std::vector<record::RunRecord> runs;
  for (const std::string& name : words.names) {
    if (!timing_named(name)) {
      RADOSLOAD_TRY(add_saved(name, runs));
      continue;
    }
    return wrong_page(words, fmt::format("it is made of runs, and {} is a timing", name),
                      "print the timing with --format text, json or csv");
  }
  if (runs.empty()) {
    return wrong_page(words, "none of these has a run that was measured", "give other runs");
  }
  RADOSLOAD_TRY(write_html(words.page, html::page(runs)));
  return Exit::measured;
}

Result<Exit> show_run(const ReportWords& words) {
  RADOSLOAD_ASSIGN(const auto format, report::parse_format(words.format));
  RADOSLOAD_ASSIGN(const auto found, load_run(words.name()));
  const record::RunRecord& record = found.record;
  if (!words.fio_logs.empty()) {
    RADOSLOAD_TRY(prepare_fio_logs(words.fio_logs, record.header.plan));
    RADOSLOAD_TRY(write_fio_logs(words.fio_logs, record));
  }
  const std::string text = report::render(record, format, found.path, style_for(STDOUT_FILENO));
  return format == report::Format::text ? print_text(text) : print_result(text);
}

Result<Exit> show_study(const ReportWords& words, const std::filesystem::path& document) {
  if (!words.page.path.empty()) {
    RADOSLOAD_ASSIGN(auto study, load_study_document(document));
    RADOSLOAD_TRY(write_study_page(std::move(study), words.name(), words.page));
    return Exit::measured;
  }
  if (!words.fio_logs.empty() || (words.format != "text" && words.format != "json")) {
    return fail({.attempt = "show the study",
                 .subject = words.name(),
                 .reason = "a study can be printed as text and json; --fio-logs and the other "
                           "formats are for runs",
                 .hint = "choose --format text or json; 'radosload compare' also prints markdown",
                 .exit = Exit::usage});
  }
  RADOSLOAD_ASSIGN(auto study, load_study_document(document));
  return print_study(std::move(study), document.string(), words.format, "", Exit::measured);
}

Result<Exit> print_series(const ReportWords& words, const record::Series& series,
                          const std::string& path) {
  if (!words.fio_logs.empty() || !report::is_series_format(words.format)) {
    return fail({.attempt = "show the series",
                 .subject = words.name(),
                 .reason =
                     "a series can be printed as text, json and csv; --fio-logs and the other "
                     "formats are for single runs",
                 .hint = "report one of its runs: 'radosload list --steps' shows their IDs",
                 .exit = Exit::usage});
  }
  const std::string text = report::render(series, words.format, path);
  return words.format == "text" ? print_text(text) : print_result(text);
}

Result<Exit> show_series(const ReportWords& words, const std::filesystem::path& document) {
  RADOSLOAD_ASSIGN(const auto series, record::load_series(document));
  return print_series(words, series, document.string());
}

// Prints each run of a page, if it has several.
Result<Exit> show_page(const ReportWords& words, const html::Kept& kept) {
  if (kept.series) return print_series(words, *kept.series, words.name());
  if (kept.runs.size() == 1) return show_run(words);
  if (words.format != "text" || !words.fio_logs.empty() || kept.runs.empty()) {
    return fail({.attempt = "show the page",
                 .subject = words.name(),
                 .reason = kept.runs.empty() ? "it has verdicts on figures, and no runs"
                                             : "it has several runs, which are shown as text only",
                 .hint = "'radosload compare' shows verdicts, and runs side by side",
                 .exit = Exit::usage});
  }
  std::string text;
  for (const record::RunRecord& run : kept.runs) {
    if (!text.empty()) text += "\n";
    text += report::render(run, report::Format::text, words.name(), style_for(STDOUT_FILENO));
  }
  return print_text(text);
}

Result<Exit> show(const ReportWords& words) {
  RADOSLOAD_TRY(check_page(words));
  if (words.names.size() == 1) {
    if (const auto study = study_named(words.name())) return show_study(words, *study);
  }
  if (!words.page.path.empty()) return save_page(words);
  if (words.names.size() > 1) {
    return fail({.attempt = "show several runs",
                 .reason = "they are shown together on a page only",
                 .hint = "add -o FILE.html; 'radosload compare' shows runs side by side",
                 .exit = Exit::usage});
  }
  RADOSLOAD_ASSIGN(const auto kept, page_named(words.name()));
  if (kept) return show_page(words, *kept);
  if (const auto series = series_named(words.name())) return show_series(words, *series);
  const auto timing = timing_named(words.name());
  return timing ? show_timing(words, *timing) : show_run(words);
}

}  // namespace

void add_report(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("report", "Show a saved run, series, study or timing again");
  auto words = std::make_shared<ReportWords>();
  command
      ->add_option("RUN", words->names,
                   "ID of a run, series, study or timing, its beginning, 'last' (run), or a file")
      ->required()
      ->expected(1, -1);
  add_format_options(
      *command, words->format,
      {.names = report::format_names(),
       .help = "output on stdout (of a series or a timing: text, json or csv; of a study: text or "
               "json)"});
  command
      ->add_option("--fio-logs", words->fio_logs,
                   "also write fio's logs of latency, bandwidth and IOPS into this folder, a row a "
                   "second")
      ->type_name("FOLDER");
  command
      ->add_option("-o,--output", words->page.path,
                   "write one HTML file with pictures; of several runs too")
      ->type_name("FILE.html")
      ->group("Output");
  command->add_flag("--overwrite", words->page.overwrite, "let --output replace an existing file")
      ->group("Output");
  command->final_callback([words, &chosen] { chosen = [words] { return show(*words); }; });
}

}  // namespace radosload::cli
