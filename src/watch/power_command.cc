#include "watch/power_command.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "radosload/printable.h"

#include "base/shell.h"

#include <fmt/format.h>

namespace radosload::watch {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_polls(20);
constexpr std::size_t most_output = 4096;
constexpr std::size_t most_shown = 80;

tl::unexpected<Error> no_watts(std::string reason, int errnum = 0) {
  return fail({.attempt = "measure power with",
               .subject = "the command of --power-cmd",
               .reason = std::move(reason),
               .hint = "it must print watts, one number, and end with status 0 within 5 s",
               .errnum = errnum,
               .exit = Exit::refused});
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string last_line_of(std::string_view text) {
  text = trimmed(text);
  const std::size_t start = text.rfind('\n');
  if (start != std::string_view::npos) text.remove_prefix(start + 1);
  return printable(text.substr(0, most_shown));
}

// What a process writes, as far as it is kept. A process that writes more without end waits for its
// reader until it is killed.
class OutputPipe {
 public:
  OutputPipe() {
    if (::pipe2(m_ends.data(), O_CLOEXEC) != 0) m_errnum = errno;
    if (m_errnum == 0) ::fcntl(m_ends[0], F_SETFL, O_NONBLOCK);
  }
  ~OutputPipe() {
    for (const int end : m_ends) {
      if (end >= 0) ::close(end);
    }
  }
  OutputPipe(const OutputPipe&) = delete;
  OutputPipe& operator=(const OutputPipe&) = delete;
  OutputPipe(OutputPipe&&) = delete;
  OutputPipe& operator=(OutputPipe&&) = delete;

  int errnum() const { return m_errnum; }
  int writer() const { return m_ends[1]; }
  const std::string& text() const { return m_text; }
  void take() {
    std::array<char, most_output> bytes{};
    while (m_text.size() < most_output) {
      const ssize_t got = ::read(m_ends[0], bytes.data(), most_output - m_text.size());
      if (got <= 0) return;
      m_text.append(bytes.data(), static_cast<std::size_t>(got));
    }
  }

 private:
  std::array<int, 2> m_ends = {-1, -1};
  int m_errnum = 0;
  std::string m_text;
};

// Of a child; empty while it runs.
std::optional<int> ended_with(pid_t pid) {
  int status = 0;
  const pid_t ended = ::waitpid(pid, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return std::nullopt;
  return ended < 0 ? -1 : status;
}

// Also what it has started. A process that the kernel does not let die is left behind.
void kill_group(pid_t pid) {
  constexpr int tries = 50;
  ::kill(-pid, SIGKILL);
  for (int i = 0; i < tries && !ended_with(pid); ++i) std::this_thread::sleep_for(between_polls);
}

Result<double> watts_of(int status, const std::string& output, const std::string& errors) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return parse_watts(output);
  const std::string how = WIFEXITED(status)
                              ? fmt::format("it ended with status {}", WEXITSTATUS(status))
                              : fmt::format("it was ended by signal {}", WTERMSIG(status));
  const std::string said = last_line_of(errors);
  return no_watts(said.empty() ? how : fmt::format("{}: {}", how, said));
}

}  // namespace

Result<double> parse_watts(std::string_view output) {
  constexpr double most = 1e9;
  const std::string_view text = trimmed(output);
  if (text.empty()) return no_watts("it printed nothing");
  double watts = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), watts);
  if (wrong != std::errc() || end != text.data() + text.size() || !std::isfinite(watts)) {
    return no_watts(fmt::format("it printed '{}', which is not one number",
                                printable(text.substr(0, most_shown))));
  }
  if (watts < 0 || watts > most) return no_watts(fmt::format("it printed {} W", watts));
  return watts;
}

Result<double> ask_power_command(const std::string& command, Time limit,
                                 const std::atomic<bool>& stop) {
  OutputPipe output;
  OutputPipe errors;
  pid_t pid = -1;
  int errnum = std::max(output.errnum(), errors.errnum());
  if (errnum == 0) errnum = base::start_shell(command, output.writer(), errors.writer(), pid);
  if (errnum != 0) return no_watts("it could not be started", errnum);
  const auto until = Clock::now() + limit;
  for (;;) {
    const auto status = ended_with(pid);
    output.take();
    errors.take();
    if (status) return watts_of(*status, output.text(), errors.text());
    if (stop || Clock::now() >= until) break;
    std::this_thread::sleep_for(between_polls);
  }
  kill_group(pid);
  if (stop) return no_watts("the run has ended");
  return no_watts(fmt::format("it did not end within {} s", seconds(limit)));
}

}  // namespace radosload::watch
