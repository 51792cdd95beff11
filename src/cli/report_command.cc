// `radosload report`: prints a saved run, series or timing, in any of the formats it was printed
// in.

#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>

#include "cli/command.h"
#include "cli/fio_log_files.h"
#include "cli/format_options.h"
#include "cli/look.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/saved.h"
#include "cli/study_saved.h"
#include "html/page.h"
#include "record/saving.h"
#include "record/series.h"
#include "record/series_store.h"
#include "record/timing_store.h"
#include "report/format.h"
#include "views/timers_text.h"

namespace radosload::cli {

namespace {

struct ReportWords {
  std::string name;
  std::string format = "text";
  std::string fio_logs;
  std::string page;  // the HTML file; empty: print on stdout
  bool overwrite = false;
};

Result<Exit> show_series(const ReportWords& words, const std::filesystem::path& document) {
  RADOSLOAD_ASSIGN(const auto series, record::load_series(document));
  if (!words.fio_logs.empty() || !report::is_series_format(words.format)) {
    return fail({.attempt = "show the series",
                 .subject = words.name,
                 .reason =
                     "a series can be printed as text, json and csv; --fio-logs and the other "
                     "formats are for single runs",
                 .hint = "report one of its runs: 'radosload list --steps' shows their IDs",
                 .exit = Exit::usage});
  }
  const std::string text = report::render(series, words.format, document.string());
  return words.format == "text" ? print_text(text) : print_result(text);
}

Result<Exit> show_timing(const ReportWords& words, const std::filesystem::path& document) {
  RADOSLOAD_ASSIGN(const auto text, record::load_timing(document));
  RADOSLOAD_ASSIGN(const auto timing, views::timers_from_json(text, document.string()));
  if (!words.fio_logs.empty() || !report::is_series_format(words.format)) {
    return fail({.attempt = "show the timing",
                 .subject = words.name,
                 .reason =
                     "a timing can be printed as text, json and csv; --fio-logs and the other "
                     "formats are for runs",
                 .hint = "choose --format text, json or csv",
                 .exit = Exit::usage});
  }
  // The document as it was saved, with keys that a newer version may have added.
  if (words.format == "json") return print_result(text);
  if (words.format == "csv") return print_result(views::timers_csv(timing.shown, timing.session));
  return print_text(views::timers_text(timing.shown, timing.session, document.string()));
}

tl::unexpected<Error> wrong_page(const ReportWords& words, std::string reason, std::string hint) {
  return fail({.attempt = "write the report to",
               .subject = words.page,
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

Status check_page(const ReportWords& words) {
  if (words.page.empty()) {
    if (!words.overwrite) return {};
    return fail({.reason = "--overwrite needs --output",
                 .hint = "for example: -o report.html --overwrite",
                 .exit = Exit::usage});
  }
  if (words.format != "text" || !words.fio_logs.empty()) {
    return wrong_page(words, "--output cannot be combined with --format, --json or --fio-logs",
                      "run the command once for each");
  }
  if (words.page.ends_with(".html") || words.page.ends_with(".htm")) return {};
  return wrong_page(words, "the report is HTML, and the name does not end in .html",
                    "give a name such as report.html, or print with --format json > FILE");
}

Result<Exit> save_page(const ReportWords& words) {
  RADOSLOAD_ASSIGN(const auto found, load_run(words.name));
  const auto existing = words.overwrite ? record::Existing::replace : record::Existing::refuse;
  auto saved = record::save(words.page, html::page(found.record), existing);
  if (saved) return Exit::measured;
  Error error = std::move(saved).error();
  // The hint of a saved record names another option.
  const bool there = error.reason == "the file exists";
  if (!there) error.hint = "give a file that you can write, with -o FILE.html";
  return fail(std::move(error));
}

Result<Exit> show_run(const ReportWords& words) {
  RADOSLOAD_ASSIGN(const auto format, report::parse_format(words.format));
  RADOSLOAD_ASSIGN(const auto found, load_run(words.name));
  const record::RunRecord& record = found.record;
  if (!words.fio_logs.empty()) {
    RADOSLOAD_TRY(prepare_fio_logs(words.fio_logs, record.header.plan));
    RADOSLOAD_TRY(write_fio_logs(words.fio_logs, record));
  }
  const std::string text = report::render(record, format, found.path, style_for(STDOUT_FILENO));
  return format == report::Format::text ? print_text(text) : print_result(text);
}

Result<Exit> show_study(const ReportWords& words, const std::filesystem::path& document) {
  if (!words.page.empty()) {
    return wrong_page(words, "it is made of single runs, and this is a study",
                      "print the study with --format text or json");
  }
  if (!words.fio_logs.empty() || (words.format != "text" && words.format != "json")) {
    return fail({.attempt = "show the study",
                 .subject = words.name,
                 .reason = "a study can be printed as text and json; --fio-logs and the other "
                           "formats are for runs",
                 .hint = "choose --format text or json; 'radosload compare' also prints markdown",
                 .exit = Exit::usage});
  }
  RADOSLOAD_ASSIGN(auto study, load_study_document(document));
  return print_study(std::move(study), document.string(), words.format, "", Exit::measured);
}

Result<Exit> show(const ReportWords& words) {
  RADOSLOAD_TRY(check_page(words));
  if (const auto study = study_named(words.name)) return show_study(words, *study);
  const auto series = series_named(words.name);
  const auto timing = series ? std::nullopt : timing_named(words.name);
  if (words.page.empty()) {
    if (series) return show_series(words, *series);
    return timing ? show_timing(words, *timing) : show_run(words);
  }
  if (series) {
    return wrong_page(words, "it is made of single runs, and this is a series",
                      "report one of its runs: 'radosload list --steps' shows their IDs");
  }
  if (timing) {
    return wrong_page(words, "it is made of runs, and this is a timing",
                      "print the timing with --format text, json or csv");
  }
  return save_page(words);
}

}  // namespace

void add_report(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("report", "Show a saved run, series or timing again");
  auto words = std::make_shared<ReportWords>();
  command
      ->add_option("RUN", words->name,
                   "ID of a run, series or timing, its beginning, 'last' (run), or a file")
      ->required();
  add_format_options(*command, words->format,
                     {.names = report::format_names(),
                      .help = "output on stdout (of a series or a timing: text, json or csv)"});
  command
      ->add_option("--fio-logs", words->fio_logs,
                   "also write fio's logs of latency, bandwidth and IOPS into this folder, a row a "
                   "second")
      ->type_name("FOLDER");
  command
      ->add_option("-o,--output", words->page,
                   "write the report of a run as one HTML file with pictures")
      ->type_name("FILE.html")
      ->group("Output");
  command->add_flag("--overwrite", words->overwrite, "let --output replace an existing file")
      ->group("Output");
  command->final_callback([words, &chosen] { chosen = [words] { return show(*words); }; });
}

}  // namespace radosload::cli
