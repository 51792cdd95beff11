// `radosload report`: prints a saved run or series, in any of the formats of `run`.

#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>

#include "cli/command.h"
#include "cli/fio_log_files.h"
#include "cli/format_options.h"
#include "cli/look.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/saved.h"
#include "record/series.h"
#include "record/series_store.h"
#include "report/format.h"

namespace radosload::cli {

namespace {

struct ReportWords {
  std::string name;
  std::string format = "text";
  std::string fio_logs;
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

Result<Exit> show(const ReportWords& words) {
  if (const auto document = series_named(words.name)) return show_series(words, *document);
  return show_run(words);
}

}  // namespace

void add_report(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand("report", "Show a saved run or series again");
  auto words = std::make_shared<ReportWords>();
  command->add_option("RUN", words->name, "ID of a run or series, its beginning, 'last', or a file")
      ->required();
  add_format_options(*command, words->format,
                     {.names = report::format_names(),
                      .help = "output on stdout (of a series: text, json or csv)"});
  command
      ->add_option("--fio-logs", words->fio_logs,
                   "also write fio's logs of latency, bandwidth and IOPS into this folder, a row a "
                   "second")
      ->type_name("FOLDER");
  command->final_callback([words, &chosen] { chosen = [words] { return show(*words); }; });
}

}  // namespace radosload::cli
