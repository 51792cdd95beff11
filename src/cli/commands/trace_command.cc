// `radosload trace FILE.npy`: prints a summary of a trace, or its rows for other programs. A file
// may be larger than memory, so it is read in pieces; a summary is made by two threads.

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
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
#include "report/trace_csv.h"
#include "report/trace_summary.h"
#include "trace/trace_file.h"
#include "trace/trace_scan.h"
#include "views/trace_json.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

using report::FioLog;
using trace::TraceFile;
using trace::TraceRow;
using trace::TraceScan;

struct TraceWords {
  std::string file;
  std::string format = "text";
  std::string output;  // prefix of the names of fio's logs
  std::size_t slowest = 10;
  Bytes object_size;
};

Result<TraceScan> scan(const TraceFile& file, std::size_t slowest) {
  std::array<TraceScan, 2> halves = {TraceScan(slowest, file.measured()),
                                     TraceScan(slowest, file.measured())};
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

// For formats that have a line for each second.
Result<TraceScan> scan_with_seconds(const TraceFile& file) {
  auto scanned = scan(file, 0);
  if (!scanned) return scanned;
  if (auto fit = scanned->check_seconds(); !fit) {
    Error error = std::move(fit).error();
    error.subject = file.name();
    return fail(std::move(error));
  }
  return scanned;
}

Result<Exit> show_summary(const TraceFile& file, const TraceWords& words) {
  RADOSLOAD_ASSIGN(auto scanned, scan(file, words.slowest));
  const report::TraceFacts facts{.file = file.name(),
                                 .rows = file.rows(),
                                 .ended = file.ended(),
                                 .unsound = scanned.unsound(),
                                 .object_size = words.object_size};
  if (words.format == "json") {
    return print_result(views::trace_json(facts, scanned.record(), scanned.slowest()));
  }
  return print_result(report::trace_summary(facts, scanned.record(), scanned.slowest()));
}

Result<Exit> show_rados_bench(const TraceFile& file) {
  RADOSLOAD_ASSIGN(auto scanned, scan_with_seconds(file));
  record::RunRecord record = scanned.record();
  record.timeline = scanned.timeline();
  return print_result(report::rados_bench_text(record));
}

Result<Exit> show_csv(const TraceFile& file) {
  std::string text(report::trace_csv_head());
  ResultWriter writer;
  const auto write = [&text, &writer] {
    const bool written = writer.write(text);
    text.clear();
    return written;
  };
  const Status read = file.each_piece(0, file.rows(), [&](std::uint64_t, auto rows) {
    for (const TraceRow& row : rows) report::add_trace_csv(text, row);
    return write();
  });
  write();
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

Result<Exit> write_logs(const TraceFile& file, const TraceWords& words) {
  RADOSLOAD_ASSIGN(auto scanned, scan_with_seconds(file));
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
  RADOSLOAD_ASSIGN(const auto file, open_trace(words.file));
  if (words.format == "csv") return show_csv(file);
  if (words.format == "rados-bench") return show_rados_bench(file);
  if (words.format == "fio-log") return write_logs(file, words);
  return show_summary(file, words);
}

}  // namespace

void add_trace(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("trace", "Summarise a trace of 'run --trace', or convert it");
  auto words = std::make_shared<TraceWords>();
  command->add_option("FILE", words->file, "the trace")->required();
  add_format_options(*command, words->format,
                     {.names = {"text", "json", "csv", "rados-bench", "fio-log", "summary"},
                      .help = "text (or summary) and json: a summary; csv: a line for each "
                              "operation; rados-bench: its table; fio-log: its five logs",
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
