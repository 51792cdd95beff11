// The file that log lines are appended to. Used by the log alone; its caller locks it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "radosload/result.h"

namespace radosload::base {

class LogFile {
 public:
  // See start_log() for what may be opened.
  static Result<LogFile> open(const std::string& path);
  ~LogFile();
  LogFile(LogFile&& other) noexcept;
  LogFile& operator=(LogFile&& other) = delete;
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  // One line, with its newline. 0, or the errno of what failed; then the line is lost.
  int append(std::string_view line) noexcept;
  std::uint64_t lost() const { return m_lost; }
  const std::string& path() const { return m_path; }

 private:
  LogFile(std::string path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor) {}
  int write_all(std::string_view bytes) noexcept;

  std::string m_path;
  int m_descriptor;
  std::uint64_t m_lost = 0;  // lines since the last one that was written
  bool m_torn = false;       // a part of a line was written
};

}  // namespace radosload::base
