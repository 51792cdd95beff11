// `radosload trace FILE.npy...`: prints a summary of one or more traces, or their rows for other
// programs. A file may be larger than memory, so it is read in pieces; a summary is made by two
// threads.

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "cli/commands/command.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "report/compat/rados_bench.h"
#include "report/compat/trace_fio_logs.h"
#include "report/layout.h"
#include "report/trace_csv.h"
#include "report/trace_summary.h"
#include "trace/trace_file.h"
#include "trace/trace_merge.h"
#include "trace/trace_scan.h"
#include "views/trace_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

using report::FioLog;
using trace::TraceFile;
using trace::TraceRow;
using trace::TraceScan;

struct TraceWords {
  std::vector<std::string> files;
  std::string format = "text";
  std::string output;  // prefix of the names of fio's logs
  std::size_t slowest = 10;
  Bytes object_size;
};

using TraceFiles = std::vector<TraceFile>;

// The rows of one file, counted by two threads. `place` is that of the file among all.
Result<TraceScan> scan_file(const TraceFile& file, std::size_t place, std::optional<Time> measured,
                            std::size_t slowest) {
  std::array<TraceScan, 2> halves = {TraceScan(slowest, measured, place),
                                     TraceScan(slowest, measured, place)};
  std::array<Status, 2> ends;
  const auto work = [&](std::size_t half) {
    const std::uint64_t middle = file.rows() / 2;
    TraceScan& into = halves.at(half);
    ends.at(half) = file.each_piece(half == 0 ? 0 : middle, half == 0 ? middle : file.rows(),
                                    [&into](std::uint64_t first, std::span<const TraceRow> rows) {
                                      into.add(first, rows);
                                      return true;
                                    });
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  for (const Status& end : ends) {
    if (!end) return fail(end.error());
  }
  halves[0].merge(halves[1]);
  return std::move(halves[0]);
}

// The longest measured phase; empty if that of any file is unknown.
std::optional<Time> measured_in(const TraceFiles& files) {
  std::optional<Time> longest;
  for (const TraceFile& file : files) {
    if (!file.measured()) return std::nullopt;
    longest = std::max(longest.value_or(Time(0)), *file.measured());
  }
  return longest;
}

Result<TraceScan> scan(const TraceFiles& files, std::size_t slowest) {
  const auto measured = measured_in(files);
  RADOSLOAD_ASSIGN(auto all, scan_file(files.front(), 0, measured, slowest));
  for (std::size_t place = 1; place < files.size(); ++place) {
    RADOSLOAD_ASSIGN(auto more, scan_file(files[place], place, measured, slowest));
    all.merge(more);
  }
  return all;
}

std::vector<std::string> names_of(const TraceFiles& files) {
  std::vector<std::string> names;
  for (const TraceFile& file : files) names.push_back(file.name());
  return names;
}

// For formats that have a line for each second.
Result<TraceScan> scan_with_seconds(const TraceFiles& files) {
  auto scanned = scan(files, 0);
  if (!scanned) return scanned;
  if (auto fit = scanned->check_seconds(); !fit) {
    Error error = std::move(fit).error();
    error.subject = fmt::to_string(fmt::join(names_of(files), ", "));
    return fail(std::move(error));
  }
  return scanned;
}

Result<Exit> show_summary(const TraceFiles& files, const TraceWords& words) {
  RADOSLOAD_ASSIGN(auto scanned, scan(files, words.slowest));
  report::TraceFacts facts{
      .files = names_of(files), .unsound = scanned.unsound(), .object_size = words.object_size};
  for (const TraceFile& file : files) {
    facts.rows += file.rows();
    facts.ended = facts.ended && file.ended();
  }
  if (words.format == "json") {
    return print_result(views::trace_json(facts, scanned.record(), scanned.slowest()));
  }
  return print_result(report::trace_summary(facts, scanned.record(), scanned.slowest()));
}

Result<Exit> show_rados_bench(const TraceFiles& files) {
  RADOSLOAD_ASSIGN(auto scanned, scan_with_seconds(files));
  record::RunRecord record = scanned.record();
  record.timeline = scanned.timeline();
  return print_result(report::rados_bench_text(record));
}

// The rows of several traces have a last column with the name of their trace.
Result<Exit> show_csv(const TraceFiles& files) {
  constexpr std::size_t at_once = 1U << 20U;
  const bool several = files.size() > 1;
  std::string text(report::trace_csv_head(several));
  ResultWriter writer;
  trace::TraceMerge rows(files);
  Status read;
  while (true) {
    auto next = rows.next();
    if (!next) read = fail(next.error());
    if (!next || !*next) break;
    const auto& [file, row] = **next;
    report::add_trace_csv(text, row, several ? files[file].name() : "");
    if (text.size() < at_once) continue;
    if (!writer.write(text)) return writer.finish(Exit::measured);
    text.clear();
  }
  writer.write(text);
  if (!read) return fail(read.error());
  return writer.finish(Exit::measured);
}

// The five files of fio's logs, which must not exist yet. Incomplete files are removed.
class LogFiles {
 public:
  explicit LogFiles(const std::string& prefix) {
    for (const FioLog log : report::fio_logs) {
      m_names.push_back(report::fio_log_name(prefix, log));
    }
  }
  LogFiles(const LogFiles&) = delete;
  LogFiles& operator=(const LogFiles&) = delete;
  LogFiles(LogFiles&&) = delete;
  LogFiles& operator=(LogFiles&&) = delete;
  ~LogFiles() {
    for (std::FILE* const file : m_files) std::fclose(file);
    if (m_finished) return;
    for (std::size_t i = 0; i < m_files.size(); ++i) ::unlink(m_names[i].c_str());
  }

  Status make() {
    for (const std::string& name : m_names) {
      std::FILE* const file = std::fopen(name.c_str(), "wxe");
      if (file == nullptr) return failed("make the log", name, errno);
      m_files.push_back(file);
    }
    return {};
  }
  void write(FioLog log, std::string_view text) {
    const auto place = static_cast<std::size_t>(log);
    if (std::fwrite(text.data(), 1, text.size(), m_files[place]) == text.size()) return;
    if (m_errnum == 0) m_errnum = errno;
  }
  Status finish() {
    for (std::size_t i = 0; i < m_files.size(); ++i) {
      if (std::fflush(m_files[i]) != 0 && m_errnum == 0) m_errnum = errno;
      if (m_errnum != 0) return failed("write the log", m_names[i], m_errnum);
    }
    m_finished = true;
    return {};
  }
  bool good() const { return m_errnum == 0; }

 private:
  static tl::unexpected<Error> failed(std::string attempt, const std::string& name, int errnum) {
    return fail(
        {.attempt = std::move(attempt),
         .subject = name,
         .hint = errnum == EEXIST ? "files are never overwritten: give another --output" : "",
         .errnum = errnum,
         .exit = errnum == EEXIST ? Exit::refused : Exit::flawed});
  }

  std::vector<std::string> m_names;
  std::vector<std::FILE*> m_files;
  int m_errnum = 0;
  bool m_finished = false;
};

Result<Exit> write_logs(const TraceFiles& files, const TraceWords& words) {
  const TraceFile& file = files.front();
  RADOSLOAD_ASSIGN(auto scanned, scan_with_seconds(files));
  LogFiles logs(words.output);
  RADOSLOAD_TRY(logs.make());
  report::TraceFioLogs converter(
      scanned.block_size(), [&logs](FioLog log, std::string_view text) { logs.write(log, text); },
      file.measured());
  const Status read = file.each_piece(0, file.rows(), [&](std::uint64_t, auto rows) {
    for (const TraceRow& row : rows) converter.add(row);
    return logs.good();
  });
  if (!read) return fail(read.error());
  converter.finish();
  RADOSLOAD_TRY(logs.finish());
  if (converter.rows() < converter.operations()) {
    warn(fmt::format(
        "fio's logs have the mean latency of each millisecond and direction: {} rows for {} "
        "operations; percentiles and maxima of the rows are lower than those of the operations",
        report::grouped(converter.rows()), report::grouped(converter.operations())));
  }
  if (converter.late() > 0) {
    warn(
        fmt::format("{} rows of the trace are more than a minute out of order; the logs have these "
                    "operations at a later millisecond",
                    converter.late()));
  }
  return Exit::measured;
}

Result<TraceFile> open_trace(const std::string& name) {
  auto file = TraceFile::open(name);
  if (file || !file.error().hint.empty()) return file;
  Error error = std::move(file).error();
  error.hint = "name a file that 'radosload run --trace FILE.npy' has written";
  return fail(std::move(error));
}

Result<Exit> show_trace(const TraceWords& words) {
  if (!words.output.empty() && words.format != "fio-log") {
    return fail({.attempt = "write to",
                 .subject = words.output,
                 .reason = "--output is for --as fio-log only; other formats go to stdout",
                 .hint = "leave out --output, or add --as fio-log",
                 .exit = Exit::usage});
  }
  if (words.output.empty() && words.format == "fio-log") {
    return fail({.attempt = "write fio's logs",
                 .reason = "--output PREFIX is required",
                 .hint = "for example, --output run writes run_lat.1.log, run_clat.1.log and so on",
                 .exit = Exit::usage});
  }
  if (words.files.size() > 1 && words.format == "fio-log") {
    return fail({.attempt = "write fio's logs",
                 .reason = "fio has logs for each client, not for several together",
                 .hint = "convert one trace at a time",
                 .exit = Exit::usage});
  }
  TraceFiles files;
  for (const std::string& name : words.files) {
    RADOSLOAD_ASSIGN(auto file, open_trace(name));
    files.push_back(std::move(file));
  }
  if (words.format == "csv") return show_csv(files);
  if (words.format == "rados-bench") return show_rados_bench(files);
  if (words.format == "fio-log") return write_logs(files, words);
  return show_summary(files, words);
}

}  // namespace

void add_trace(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("trace", "Summarise a trace of 'run --trace', or convert it");
  auto words = std::make_shared<TraceWords>();
  command->add_option("FILE", words->files, "the trace")->required();
  add_format_options(*command, words->format,
                     {.names = {"text", "json", "csv", "rados-bench", "fio-log", "summary"},
                      .help = "text (or summary) and json: a summary; csv: a line for each "
                              "operation; rados-bench: its table; fio-log: its five logs, with the "
                              "mean latency of each millisecond and direction",
                      .other_name = "--as"});
  command->add_option("--output", words->output, "fio-log: prefix of the names of the five files")
      ->type_name("PREFIX");
  command->add_option("--slowest", words->slowest, "summary: number of slowest operations to show")
      ->check(CLI::Range(0, 100000).description(""))
      ->capture_default_str()
      ->type_name("N");
  add_size(*command, "--object-size", words->object_size,
           "summary: size of an object, to name the objects of the slowest operations");
  command->final_callback([words, &chosen] { chosen = [words] { return show_trace(*words); }; });
}

}  // namespace radosload::cli
