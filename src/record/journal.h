// The growing file of a run: one JSON line for the header, each interval, each event, and the
// footer. What is in it survives the process (kill -9 loses at most the last second) and, five
// seconds later, the machine. Owns writing and reading those lines; their fold is run_record's.
//
// While a writer lives it holds a flock on the file; that is how a journal that somebody still
// writes is told from one that a killed run left behind.
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

using JournalLine = std::variant<RunHeader, Interval, Event, RunFooter>;

// One line with its newline, and back. `subject` names the line in errors.
std::string encode_line(const JournalLine& line);
Result<JournalLine> decode_line(std::string_view text, const std::string& subject);

class JournalWriter {
 public:
  // Machine crashes cost at most this much of a run.
  static constexpr Time sync_every = std::chrono::seconds(5);

  // Makes the file, which must not exist yet, readable to its owner only.
  static Result<std::unique_ptr<JournalWriter>> create(const std::filesystem::path& path);

  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;
  JournalWriter(JournalWriter&&) = delete;
  JournalWriter& operator=(JournalWriter&&) = delete;
  // As close().
  ~JournalWriter();

  // Never waits for the disk: encoding, writing and syncing are a thread's of its own, since the
  // thread that ticks may be the one that submits what is due. Any thread.
  void append(JournalLine line);
  // The error that ended the journal (a full disk, most likely), to one caller once; the run goes
  // on, and later appends are dropped. The file then ends with its last whole line. Any thread.
  std::optional<Error> take_error();
  // Writes and syncs what was appended, ends the thread and lets go of the lock. Later appends are
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
    std::size_t after = 0;  // as many of the lines below stand before it
    std::size_t first = 0;  // in the file, from 1
    std::size_t count = 0;
  };
  std::vector<JournalLine> lines;
  std::vector<Hole> holes = {};
  bool torn = false;  // the end of the file was no whole line, and was left out
};

// Every line that can be read.
Result<JournalContents> read_journal(const std::filesystem::path& path);
// The fold of what was read; without a footer its status is incomplete. What a hole takes away is
// said in the warnings and makes the record contaminated. The first line must be a header.
Result<RunRecord> fold_journal(const JournalContents& contents, const std::string& subject);

// Whether a process has the journal open for writing.
bool has_live_writer(const std::filesystem::path& path);

}  // namespace radosload::record
