// The log: what radosload does on the cluster and why, one line each, with time, process and level.
// It is off until start_log(). Rooms log through this header alone; only log.cc knows spdlog.
// Nothing is logged for single operations of a load. A log that cannot be written never ends a run:
// the lines are dropped, and the next line that can be written says how many are missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "radosload/result.h"

#include <fmt/format.h>

namespace radosload::base {

enum class LogLevel : std::uint8_t { debug, info, warning, error };

// "debug", "info", "warning", "error"; nothing for any other word.
std::optional<LogLevel> log_level(std::string_view name);
inline constexpr std::string_view log_level_names = "debug|info|warning|error";

struct LogTargets {
  LogLevel level = LogLevel::info;
  // Writes to stderr; it is also told when the file cannot be written.
  void (*print)(std::string_view) noexcept = nullptr;
  bool on_stderr = false;
  std::string file = {};  // empty: no file
};

// Opens the file and begins to log. A new file has mode 0600. A file that exists is appended to, so
// that one log holds several commands (a run and the cleanup after it) and nothing in it is lost;
// it must be a regular file of this user with one name, and no symbolic link is followed.
Status start_log(const LogTargets& targets);
void stop_log() noexcept;

// Cheap: one atomic load. Ask before a text that costs something is made.
bool logs(LogLevel level) noexcept;
// Whether log lines appear on stderr, where nothing can be drawn over itself then.
bool logs_to_stderr() noexcept;
// The absolute path of the log file; empty when there is none.
std::string log_file();

// Escapes control characters and newlines, and leaves out keys (secrets.h).
void write_log(LogLevel level, std::string_view text) noexcept;
// Into the file alone: for what stderr shows in another form.
void write_log_file(LogLevel level, std::string_view text) noexcept;

template <typename... Values>
void log_at(LogLevel level, fmt::format_string<Values...> format, Values&&... values) noexcept {
  if (!logs(level)) return;
  try {
    write_log(level, fmt::format(format, std::forward<Values>(values)...));
  } catch (...) {  // NOLINT(bugprone-empty-catch): no memory for a log line
  }
}
template <typename... Values>
void log_debug(fmt::format_string<Values...> format, Values&&... values) noexcept {
  log_at(LogLevel::debug, format, std::forward<Values>(values)...);
}
template <typename... Values>
void log_info(fmt::format_string<Values...> format, Values&&... values) noexcept {
  log_at(LogLevel::info, format, std::forward<Values>(values)...);
}
template <typename... Values>
void log_warning(fmt::format_string<Values...> format, Values&&... values) noexcept {
  log_at(LogLevel::warning, format, std::forward<Values>(values)...);
}

}  // namespace radosload::base
