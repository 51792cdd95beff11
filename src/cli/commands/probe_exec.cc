#include "cli/commands/probe_exec.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/shell.h"
#include "base/wall_clock.h"
#include "cli/output.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

constexpr auto time_limit = std::chrono::seconds(60);
constexpr auto last_wait = std::chrono::seconds(5);
// Changes come together when a host or a switch is slow.
constexpr std::size_t most_at_once = 16;

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'') result += "'\\'";
    result += letter;
  }
  return result + "'";
}

void replace_all(std::string& text, std::string_view place, const std::string& value) {
  for (std::size_t at = text.find(place); at != std::string::npos;
       at = text.find(place, at + value.size())) {
    text.replace(at, place.size(), value);
  }
}

}  // namespace

std::string change_command(const std::string& command, const probe::Change& change) {
  const std::array<std::pair<std::string_view, std::string>, 6> values = {
      {{"{osd}", change.osd < 0 ? "" : std::to_string(change.osd)},
       {"{subject}", probe::change_subject(change)},
       {"{op}", std::string(probe::kind_name(change.kind))},
       {"{ratio}", fmt::format("{:.3f}", change.ratio)},
       {"{since}", base::moment_text(change.since)},
       {"{text}", probe::change_text(change)}}};
  std::string text = command;
  for (const auto& [place, value] : values) replace_all(text, place, quoted(value));
  return text;
}

ChangeCommands::~ChangeCommands() {
  const auto until = Clock::now() + last_wait;
  for (look(); !m_started.empty() && Clock::now() < until; look()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  for (const Started& one : m_started) {
    ::kill(-one.pid, SIGKILL);
    ::waitpid(one.pid, nullptr, 0);
  }
}

void ChangeCommands::start(const probe::Change& change) {
  if (m_command.empty()) return;
  look();
  if (m_started.size() >= most_at_once) {
    warn(fmt::format("{} commands of --exec still run, so it is not run for {} {}", most_at_once,
                     probe::change_subject(change), probe::kind_name(change.kind)));
    return;
  }
  const std::string text = change_command(m_command, change);
  pid_t pid = -1;
  const int errnum = base::start_shell(text, STDERR_FILENO, STDERR_FILENO, pid);
  if (errnum != 0) {
    warn(fmt::format("cannot run the command of --exec: {}", errno_text(errnum)));
    return;
  }
  m_started.push_back({.pid = pid, .until = Clock::now() + time_limit, .text = text});
}

void ChangeCommands::look() {
  std::erase_if(m_started, [](const Started& one) {
    int status = 0;
    const pid_t ended = ::waitpid(one.pid, &status, WNOHANG);
    if (ended == 0 && Clock::now() < one.until) return false;
    if (ended == 0) {
      ::kill(-one.pid, SIGKILL);
      ::waitpid(one.pid, nullptr, 0);
      warn(fmt::format("ended the command of --exec after {} s: {}", time_limit.count(), one.text));
    } else if (ended < 0 && errno == EINTR) {
      return false;
    } else if (ended > 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
      warn(fmt::format("the command of --exec failed ({} {}): {}",
                       WIFEXITED(status) ? "status" : "signal",
                       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), one.text));
    }
    return true;
  });
}

}  // namespace radosload::cli
