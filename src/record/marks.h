// Marks: events that a user puts into a live run with `radosload mark`. They are lines of a file
// beside the journal, which the run creates and removes. Only the user of the run can write there:
// the folder belongs to that user alone.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

namespace radosload::record {

struct Mark {
  // Of the machine, not of the wall: it does not jump, and all processes have the same.
  std::chrono::steady_clock::time_point at;
  std::string text;
  bool operator==(const Mark&) const = default;
};

inline constexpr std::size_t longest_mark = 200;             // bytes of text
inline constexpr std::size_t most_mark_bytes = 64UL * 1024;  // of all marks of a run

// Refuses a text that does not fit on a line of a report.
Status check_mark(std::string_view text);

// Appends the mark to the file of a live run. Follows no symbolic link and creates no file.
Status send_mark(const std::filesystem::path& path, const Mark& mark);

// The run's end of the file.
class MarkInbox {
 public:
  // Creates the file, which must not exist yet, for its owner only.
  static Result<std::unique_ptr<MarkInbox>> create(const std::filesystem::path& path);

  MarkInbox(const MarkInbox&) = delete;
  MarkInbox& operator=(const MarkInbox&) = delete;
  MarkInbox(MarkInbox&&) = delete;
  MarkInbox& operator=(MarkInbox&&) = delete;
  // As close().
  ~MarkInbox();

  // The marks that have been read since the last call; asks for the file to be read again. Never
  // waits for the disk: a thread reads, because the caller may submit operations.
  std::vector<Mark> take();
  // Removes the file, and returns the marks that were not taken yet. Waits for the disk.
  std::vector<Mark> close();

 private:
  class Reader;
  explicit MarkInbox(std::unique_ptr<Reader> reader);
  std::unique_ptr<Reader> m_reader;
};

}  // namespace radosload::record
