// A file of lines that grows during a long task: a line is in it, whole, as soon as
// append() returns, even if the process is killed afterwards. A power cut loses a few seconds at
// most.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "radosload/result.h"

namespace radosload::record {

// All whole and torn lines; empty if there is no such file.
Result<std::string> read_lines(const std::filesystem::path& path);

class LineJournal {
 public:
  // Makes the file, or continues behind its last whole line: what a killed process left of a line
  // goes away.
  static Result<LineJournal> open(const std::filesystem::path& path);
  LineJournal(LineJournal&& other) noexcept;
  LineJournal& operator=(LineJournal&&) = delete;
  LineJournal(const LineJournal&) = delete;
  LineJournal& operator=(const LineJournal&) = delete;
  ~LineJournal();

  // `line` ends in a newline. If it cannot be written, nothing of it stays.
  Status append(std::string_view line);

 private:
  class Lines;
  explicit LineJournal(std::unique_ptr<Lines> lines);
  std::unique_ptr<Lines> m_lines;
};

}  // namespace radosload::record
