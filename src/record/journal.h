// The growing file of a run: one JSON line for the header, each interval, each event, and the
// footer. Its content survives the process (kill -9 loses at most the last second) and, five
// seconds later, a crash of the machine. Owns writing and reading these lines; run_record folds
// them into a record.
//
// A writer holds a flock on the file, so that readers can distinguish a running writer from a
// killed one.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "radosload/result.h"

#include "record/run_record.h"

namespace radosload::record {

using JournalLine = std::variant<RunHeader, Interval, Event, RunFooter, Warmup>;

// An interval whose cells are still packed: see packed_cells.h.
struct PackedInterval {
  Interval bare;  // without cells
  std::string kinds;
  std::string osds;
};
PackedInterval packed(Interval interval);
Interval unpacked(const PackedInterval& interval);
// As merge_parallel.
void add_parallel(Interval& sum, const PackedInterval& interval);
using PackedLine = std::variant<RunHeader, PackedInterval, Event, RunFooter, Warmup>;

// One line with its newline, and back. `subject` names the line in errors.
std::string encode_line(const JournalLine& line);
Result<JournalLine> decode_line(std::string_view text, const std::string& subject);
Result<PackedLine> decode_packed_line(std::string_view text, const std::string& subject);

class JournalWriter {
 public:
  // A crash of the machine costs at most this much of a run.
  static constexpr Time sync_every = std::chrono::seconds(5);

  // Creates the file, which must not exist yet, readable for its owner only.
  static Result<std::unique_ptr<JournalWriter>> create(const std::filesystem::path& path);

  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;
  JournalWriter(JournalWriter&&) = delete;
  JournalWriter& operator=(JournalWriter&&) = delete;
  // As close().
  ~JournalWriter();

  // Never waits for the disk: a thread encodes, writes and syncs, because the caller may be the
  // thread that submits operations. Any thread.
  void append(JournalLine line);
  // The error that ended the journal (usually a full disk), returned once; the run continues, and
  // later lines are dropped. The file then ends with its last whole line. Any thread.
  std::optional<Error> take_error();
  // Writes and syncs what was appended, ends the thread and releases the lock. Later appends are
  // dropped.
  void close();

 private:
  class Worker;
  explicit JournalWriter(std::unique_ptr<Worker> worker);
  std::unique_ptr<Worker> m_worker;
};

struct JournalContents {
  // Lines that cannot be read, with readable ones on both sides.
  struct Hole {
    std::size_t after = 0;  // the number of readable lines before it
    std::size_t first = 0;  // in the file, from 1
    std::size_t count = 0;
  };
  std::vector<JournalLine> lines;
  std::vector<Hole> holes = {};
  bool torn = false;  // the file did not end with a whole line; the rest was left out
};

// Every line that can be read.
Result<JournalContents> read_journal(const std::filesystem::path& path);
// Folds what was read into a record; without a footer its status is incomplete. Each hole is a
// warning and makes the record contaminated. The first line must be a header.
Result<RunRecord> fold_journal(const JournalContents& contents, const std::string& subject);

// Whether a process has the journal open for writing.
bool has_live_writer(const std::filesystem::path& path);

}  // namespace radosload::record
