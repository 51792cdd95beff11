#include "cli/commands/confirm.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <optional>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/output.h"

namespace radosload::cli {

namespace {

// One line of stdin; nothing at the end of the file or after a signal.
std::optional<std::string> read_answer(const base::Interrupts& interrupts) {
  constexpr int tick_ms = 100;
  std::string line;
  while (interrupts.count() == 0) {
    pollfd ready{STDIN_FILENO, POLLIN, 0};
    if (::poll(&ready, 1, tick_ms) <= 0) continue;
    std::array<char, 256> bytes{};
    const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    line.append(bytes.data(), static_cast<std::size_t>(got));
    const std::size_t end = line.find('\n');
    if (end != std::string::npos) return line.substr(0, end);
  }
  return std::nullopt;
}

bool is_yes(std::string answer) {
  std::erase_if(answer, [](unsigned char letter) { return std::isspace(letter) != 0; });
  std::transform(answer.begin(), answer.end(), answer.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return answer == "y" || answer == "yes";
}

Error refusal(const Removal& removal, std::string reason, std::string hint, Exit exit) {
  return {.attempt = removal.attempt,
          .subject = removal.subject,
          .reason = std::move(reason),
          .hint = std::move(hint),
          .exit = exit};
}

}  // namespace

Status confirm_removal(const Removal& removal, const base::Interrupts& interrupts) {
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1) {
    // The removal is refused even if the list cannot be written.
    static_cast<void>(print_result(removal.shown));
    return fail(refusal(removal, "nothing is removed without --yes",
                        "add --yes to remove what is listed on stdout", Exit::refused));
  }
  // Drops keys that were pressed before the question.
  ::tcflush(STDIN_FILENO, TCIFLUSH);
  tell(removal.shown + "Remove this? [y/N] ");
  const auto answer = read_answer(interrupts);
  if (answer && is_yes(*answer)) {
    base::log_info("the removal was confirmed on the terminal");
    return {};
  }
  // Ends the line of the question.
  if (!answer) tell("\n");
  if (interrupts.count() > 0) {
    return fail(refusal(removal, "interrupted by " + interrupts.name() + "; nothing was removed",
                        "", Exit::interrupted));
  }
  return fail(refusal(removal, "the answer was not yes; nothing was removed", "", Exit::refused));
}

}  // namespace radosload::cli
