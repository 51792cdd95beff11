#include "cli/commands/time_jobs.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <optional>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/shell.h"
#include "cluster/bounded_call.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

using timers::Job;

// The last line of the last 4 KiB of the command's output.
std::string last_line(int file) {
  std::array<char, 4096> bytes{};
  const off_t size = ::lseek(file, 0, SEEK_END);
  const auto from = std::max<off_t>(0, size - static_cast<off_t>(bytes.size()));
  const ssize_t got = ::pread(file, bytes.data(), bytes.size(), from);
  std::string text(bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  const std::size_t start = text.rfind('\n');
  return start == std::string::npos ? text : text.substr(start + 1);
}

class ShellJob final : public Job {
 public:
  explicit ShellJob(std::string command)
      : m_command(std::move(command)), m_output(::memfd_create("radosload", MFD_CLOEXEC)) {
    m_errnum = m_output < 0 ? errno : base::start_shell(m_command, m_output, m_output, m_pid);
  }
  ~ShellJob() override {
    if (m_output >= 0) ::close(m_output);
  }
  ShellJob(const ShellJob&) = delete;
  ShellJob& operator=(const ShellJob&) = delete;
  ShellJob(ShellJob&&) = delete;
  ShellJob& operator=(ShellJob&&) = delete;

  std::optional<Result<std::string>> poll() override {
    if (m_errnum != 0) return fail(error("it could not be started", m_errnum));
    int status = 0;
    const pid_t ended = ::waitpid(m_pid, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return std::nullopt;
    const std::string said = last_line(m_output);
    if (ended < 0) return fail(error("its status is unknown", errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return Result<std::string>(said);
    const std::string how = WIFEXITED(status) ? fmt::format("exit status {}", WEXITSTATUS(status))
                                              : fmt::format("signal {}", WTERMSIG(status));
    return fail(error(said.empty() ? how : fmt::format("{}: {}", how, said), 0));
  }

 private:
  Error error(std::string reason, int errnum) const {
    return {.attempt = "run the restart command",
            .subject = "'" + m_command + "'",
            .reason = std::move(reason),
            .errnum = errnum};
  }

  std::string m_command;
  int m_output;
  pid_t m_pid = -1;
  int m_errnum = 0;
};

class OsdJob final : public Job {
 public:
  OsdJob(std::shared_ptr<AdminCommands> commands, std::int32_t osd, const std::string& command)
      : m_shared(std::make_shared<Shared>()) {
    std::thread([shared = m_shared, commands = std::move(commands), osd, command]() mutable {
      auto answer = commands->osd(osd, command);
      commands.reset();
      const std::lock_guard lock(shared->mutex);
      shared->answer = std::move(answer);
    }).detach();
  }
  ~OsdJob() override {
    const std::lock_guard lock(m_shared->mutex);
    // The thread still waits for the OSD, so the program must exit without joining it.
    if (!m_taken && !m_shared->answer) cluster::count_abandoned();
  }
  OsdJob(const OsdJob&) = delete;
  OsdJob& operator=(const OsdJob&) = delete;
  OsdJob(OsdJob&&) = delete;
  OsdJob& operator=(OsdJob&&) = delete;

  std::optional<Result<std::string>> poll() override {
    const std::lock_guard lock(m_shared->mutex);
    if (!m_shared->answer) return std::nullopt;
    m_taken = true;
    return std::exchange(m_shared->answer, std::nullopt);
  }

 private:
  struct Shared {
    std::mutex mutex;
    std::optional<Result<std::string>> answer;
  };
  std::shared_ptr<Shared> m_shared;
  bool m_taken = false;
};

}  // namespace

std::unique_ptr<timers::Job> start_shell(const std::string& command) {
  return std::make_unique<ShellJob>(command);
}

std::unique_ptr<timers::Job> ask_osd(std::shared_ptr<AdminCommands> commands, std::int32_t osd,
                                     const std::string& command) {
  return std::make_unique<OsdJob>(std::move(commands), osd, command);
}

}  // namespace radosload::cli
