#include "cli/output.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "radosload/printable.h"

#include "base/log.h"
#include "cli/options/display_options.h"
#include "report/colour.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

// The errno of the write that failed; 0: all is written.
int write_all(int descriptor, std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EAGAIN) {
      // Another process that shares the terminal has made it non-blocking.
      pollfd ready{descriptor, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    // Opened in the opposite direction, so that writing to a closed stdout gives an error.
    const int opened =
        ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // NOLINT: inherited
    if (opened != descriptor && opened >= 0) ::close(opened);
  }
}

void tell(std::string_view lines) noexcept {
  write_all(STDERR_FILENO, printable_lines(lines));
}

void warn(std::string_view text) noexcept {
  base::write_log_file(base::LogLevel::warning, text);
  const std::string line = printable_lines(fmt::format("radosload: {}\n", text));
  write_all(STDERR_FILENO, colours_on(STDERR_FILENO) ? report::coloured_warning(line) : line);
}

void tell_error(std::string_view text) noexcept {
  base::write_log_file(base::LogLevel::error, text);
  const std::string line = printable_lines(fmt::format("radosload: {}\n", text));
  write_all(STDERR_FILENO, colours_on(STDERR_FILENO) ? report::coloured_error(line) : line);
}

void draw(std::string_view controls, std::string_view lines) noexcept {
  std::string text = printable_lines(lines);
  if (colours_on(STDERR_FILENO)) text = report::coloured(text);
  // One write, so that lines of several threads are not mixed.
  write_all(STDERR_FILENO, std::string(controls) + text);
}

bool ResultWriter::write_text(std::string_view lines) {
  const std::string text = printable_lines(lines);
  if (m_errnum == 0) {
    m_errnum = write_all(STDOUT_FILENO, colours_on(STDOUT_FILENO) ? report::coloured(text) : text);
  }
  return m_errnum == 0;
}

bool ResultWriter::write(std::string_view lines) {
  if (m_errnum == 0) m_errnum = write_all(STDOUT_FILENO, printable_lines(lines));
  return m_errnum == 0;
}

Exit ResultWriter::finish(Exit exit, const std::string& hint) const {
  if (m_errnum == 0 || m_errnum == EPIPE) return exit;
  const Error error{
      .attempt = "write the result", .subject = "to stdout", .hint = hint, .errnum = m_errnum};
  warn(error.message());
  return exit == Exit::measured ? Exit::flawed : exit;
}

std::string shown_again(const std::string& saved_as) {
  return saved_as.empty() ? "" : "'radosload report' shows it again: " + saved_as;
}

Exit print_result(std::string_view lines, Exit exit, const std::string& hint) {
  ResultWriter writer;
  writer.write(lines);
  return writer.finish(exit, hint);
}

Exit print_text(std::string_view lines, Exit exit, const std::string& hint) {
  ResultWriter writer;
  writer.write_text(lines);
  return writer.finish(exit, hint);
}

}  // namespace radosload::cli
