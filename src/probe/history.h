// The history of a probe on this machine: files that only grow, one for each day, in a folder of
// its own. A new file gets the next number, so that their order does not depend on the wall clock.
//
//   000001-2026-11-26.jsonl
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "base/descriptor.h"
#include "probe/history_codec.h"
#include "record/line_journal.h"

namespace radosload::probe {

// Which files are kept: so many, a file for each day, and of them the youngest that fit. The file
// that is written is always kept.
struct Retention {
  std::uint64_t days = 90;
  Bytes bytes = gib(4);
};

class History {
 public:
  // Makes the folder, for its owner only, and locks it. Refuses when another process writes there,
  // and when it has the history of another pool.
  static Result<History> open(const std::filesystem::path& folder, HistoryHeader header,
                              const Retention& retention);

  // A whole line, or nothing of it when it cannot be written. In a new file when the day of the
  // wall clock, `at`, is another one.
  Status append(const Round& round);
  Status append(const Change& change, Time at);

  const std::filesystem::path& folder() const { return m_folder; }

 private:
  History(std::filesystem::path folder, HistoryHeader header, const Retention& retention,
          base::Descriptor lock)
      : m_folder(std::move(folder)),
        m_header(std::move(header)),
        m_retention(retention),
        m_lock(std::move(lock)) {}
  Status write(const std::string& line, Time at);
  Status turn_to(const std::string& day);
  void remove_old() const;

  std::filesystem::path m_folder;
  HistoryHeader m_header;
  Retention m_retention;
  base::Descriptor m_lock;
  std::string m_day = {};  // of the file that is open
  std::optional<record::LineJournal> m_file = {};
};

// The files of a folder, oldest first; empty when there is none.
Result<std::vector<std::filesystem::path>> history_files(const std::filesystem::path& folder);

// What a history holds. Lines that cannot be read are counted and left out; a torn last line is
// not even counted.
struct HistoryReading {
  std::uint64_t unreadable = 0;
  std::string problem = {};  // of the first of them
};
using LineTaker = std::function<void(const HistoryLine&)>;
Result<HistoryReading> read_history(const std::vector<std::filesystem::path>& files,
                                    const LineTaker& take);

// The youngest files that together have at least so many rounds, oldest first.
Result<std::vector<std::filesystem::path>> latest_files(const std::filesystem::path& folder,
                                                        std::uint64_t rounds);

}  // namespace radosload::probe
