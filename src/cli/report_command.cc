// Saved runs shown again, in any of the formats that a run can end with.

#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/fio_log_files.h"
#include "cli/format_options.h"
#include "cli/output.h"
#include "cli/saved.h"
#include "record/series.h"
#include "record/series_store.h"
#include "report/csv.h"
#include "report/format.h"
#include "report/series_text.h"

namespace radosload::cli {

namespace {

struct ReportWords {
  std::string name;
  std::string format = "text";
  std::string fio_logs;
};

Result<Exit> show_series(const ReportWords& words, const std::filesystem::path& document) {
  RADOSLOAD_ASSIGN(const auto series, record::load_series(document));
  const bool known = words.format == "text" || words.format == "json" || words.format == "csv";
  if (!words.fio_logs.empty() || !known) {
    return fail(
        {.attempt = "show the series",
         .subject = words.name,
         .reason = "a series has --format text, json and csv; the others are for single runs",
         .hint = "'radosload list --steps' shows its runs: each can be shown by itself",
         .exit = Exit::usage});
  }
  if (words.format == "json") return print_result(record::to_json(series));
  return print_result(words.format == "csv" ? report::series_csv(series)
                                            : report::series_text(series, document.string()));
}

Result<Exit> show_run(const ReportWords& words) {
  RADOSLOAD_ASSIGN(const auto format, report::parse_format(words.format));
  RADOSLOAD_ASSIGN(const auto found, load_run(words.name));
  const record::RunRecord& record = found.record;
  if (!words.fio_logs.empty()) {
    RADOSLOAD_TRY(prepare_fio_logs(words.fio_logs, record.header.plan));
    RADOSLOAD_TRY(write_fio_logs(words.fio_logs, record));
  }
  return print_result(report::render(record, format, found.path));
}

Result<Exit> show(const ReportWords& words) {
  if (const auto document = series_named(words.name)) return show_series(words, *document);
  return show_run(words);
}

}  // namespace

void add_report(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand("report", "Show a saved run or series again");
  auto words = std::make_shared<ReportWords>();
  command
      ->add_option("RUN", words->name,
                   "id of a run or of a series, its beginning, 'last' (a run), or a file")
      ->required();
  add_format_options(*command, words->format,
                     {.names = report::format_names(),
                      .help = "what to print on stdout; of a series text, json or csv"});
  command->add_option("--fio-logs", words->fio_logs,
                      "write fio's logs of latency, bandwidth and IOPS there, a row a second");
  command->footer(
      "Examples:\n"
      "  radosload report last\n"
      "  radosload report 2026 --format fio-json > fio.json\n"
      "  radosload report last --format prometheus > radosload.prom\n");
  command->final_callback([words, &chosen] { chosen = [words] { return show(*words); }; });
}

}  // namespace radosload::cli
