#include "base/log.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "radosload/printable.h"

#include "base/log_file.h"
#include "base/secrets.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>

namespace radosload::base {

namespace {

constexpr std::array<std::string_view, 4> level_names = {"debug", "info", "warning", "error"};
constexpr int off = static_cast<int>(level_names.size());

using Print = void (*)(std::string_view) noexcept;

class LogSink : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  virtual void put(std::string_view line) = 0;

 private:
  void sink_it_(const spdlog::details::log_msg& message) final {
    spdlog::memory_buf_t buffer;
    formatter_->format(message, buffer);
    put(std::string_view(buffer.data(), buffer.size()));
  }
  void flush_() final {}
};

class StderrSink final : public LogSink {
 public:
  explicit StderrSink(Print print) : m_print(print) {}

 private:
  void put(std::string_view line) override { m_print(line); }

  Print m_print;
};

class FileSink final : public LogSink {
 public:
  FileSink(LogFile file, Print print) : m_file(std::move(file)), m_print(print) {}

  const std::string& path() const { return m_file.path(); }

 private:
  void put(std::string_view line) override {
    const bool whole = m_file.lost() == 0;
    const int errnum = m_file.append(line);
    if (errnum == 0 || !whole || m_print == nullptr) return;
    const Error error{.attempt = "write to the log",
                      .subject = m_file.path(),
                      .hint = "the command continues; lines are missing in the log",
                      .errnum = errnum};
    m_print(fmt::format("radosload: {}\n", error.message()));
  }

  LogFile m_file;
  Print m_print;
};

using Logger = std::shared_ptr<spdlog::logger>;

struct LogState {
  std::atomic<int> least{off};
  std::atomic<bool> on_stderr{false};
  std::mutex mutex;  // guards those below
  std::shared_ptr<FileSink> file;
  Logger everywhere;
  Logger file_only;
};

// Never destroyed: threads of librados may outlive main.
LogState& state() {
  static auto& only = *new LogState;
  return only;
}

spdlog::level::level_enum spdlog_level(LogLevel level) {
  constexpr std::array levels = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                                 spdlog::level::err};
  return levels.at(static_cast<std::size_t>(level));
}

}  // namespace

std::optional<LogLevel> log_level(std::string_view name) {
  for (std::size_t i = 0; i < level_names.size(); ++i) {
    if (level_names.at(i) == name) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

namespace {

Logger make_logger(const std::vector<spdlog::sink_ptr>& sinks, LogLevel level) {
  auto logger = std::make_shared<spdlog::logger>("radosload", sinks.begin(), sinks.end());
  logger->set_level(spdlog_level(level));
  logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      "%Y-%m-%dT%H:%M:%S.%eZ %P %-7l %v", spdlog::pattern_time_type::utc));
  // spdlog's own handler would write to stderr by itself.
  logger->set_error_handler([](const std::string&) {});
  return logger;
}

void write_to(Logger LogState::*which, LogLevel level, std::string_view text) noexcept {
  if (!logs(level)) return;
  try {
    Logger logger;
    {
      const std::lock_guard lock(state().mutex);
      logger = state().*which;
    }
    if (logger) logger->log(spdlog_level(level), without_secrets(printable(text)));
  } catch (...) {  // NOLINT(bugprone-empty-catch): a log line is not worth a run
  }
}

}  // namespace

Status start_log(const LogTargets& targets) {
  std::vector<spdlog::sink_ptr> sinks;
  std::shared_ptr<FileSink> file;
  if (targets.on_stderr) sinks.push_back(std::make_shared<StderrSink>(targets.print));
  if (!targets.file.empty()) {
    RADOSLOAD_ASSIGN(auto opened, LogFile::open(targets.file));
    file = std::make_shared<FileSink>(std::move(opened), targets.print);
    sinks.push_back(file);
  }
  LogState& log = state();
  {
    const std::lock_guard lock(log.mutex);
    log.everywhere = make_logger(sinks, targets.level);
    log.file_only = file ? make_logger({file}, targets.level) : nullptr;
    log.file = std::move(file);
  }
  log.on_stderr = targets.on_stderr;
  log.least = static_cast<int>(targets.level);
  return {};
}

void stop_log() noexcept {
  LogState& log = state();
  log.least = off;
  log.on_stderr = false;
  const std::lock_guard lock(log.mutex);
  log.everywhere.reset();
  log.file_only.reset();
  log.file.reset();
}

bool logs(LogLevel level) noexcept {
  return static_cast<int>(level) >= state().least.load(std::memory_order_relaxed);
}

bool logs_to_stderr() noexcept {
  return state().on_stderr;
}

std::string log_file() {
  LogState& log = state();
  const std::lock_guard lock(log.mutex);
  return log.file ? log.file->path() : std::string();
}

void write_log(LogLevel level, std::string_view text) noexcept {
  write_to(&LogState::everywhere, level, text);
}

void write_log_file(LogLevel level, std::string_view text) noexcept {
  write_to(&LogState::file_only, level, text);
}

}  // namespace radosload::base
