// Reading a log file back for a bug report. The path comes from a record, which may be from
// an untrusted user, so only lines in the form of radosload's log are taken from the file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "radosload/result.h"

namespace radosload::cli {

struct LogLines {
  std::string text;
  std::size_t skipped = 0;  // lines of another form, and those before the last 16 MiB
};

// Follows no symbolic link, and reads regular files of this user only.
Result<LogLines> log_lines(const std::string& path);

// "2026-11-24T12:50:01.123Z 4711 info    ..."
bool is_log_line(std::string_view line);

}  // namespace radosload::cli
