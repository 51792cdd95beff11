#include "base/log_file.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace radosload::base {

namespace {

tl::unexpected<Error> cannot_log_to(const std::string& path, std::string reason, int errnum) {
  return fail({.attempt = "write the log to",
               .subject = path,
               .reason = std::move(reason),
               .hint = "name another file with --log-file, or log to stderr with -v",
               .errnum = errnum,
               .exit = Exit::refused});
}

// What keeps a file that exists from being appended to; empty: nothing.
std::string why_not_append(const struct stat& file) {
  if (!S_ISREG(file.st_mode)) return "it is not a regular file";
  if (file.st_uid != ::geteuid()) return "the file belongs to another user";
  if (file.st_nlink > 1) return "the file has several names (hard links)";
  return {};
}

}  // namespace

Result<LogFile> LogFile::open(const std::string& path) {
  constexpr mode_t owner_only = 0600;
  // O_NONBLOCK: a pipe without a reader would block here.
  constexpr int flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
  const int descriptor = ::open(path.c_str(), flags, owner_only);
  if (descriptor < 0) {
    const int errnum = errno;
    return cannot_log_to(path, errnum == ELOOP ? "it is a symbolic link" : "", errnum);
  }
  std::error_code ignored;
  LogFile file(std::filesystem::absolute(path, ignored).string(), descriptor);
  struct stat found {};
  if (::fstat(descriptor, &found) != 0) return cannot_log_to(path, "", errno);
  if (std::string reason = why_not_append(found); !reason.empty()) {
    return cannot_log_to(path, std::move(reason), 0);
  }
  return file;
}

LogFile::LogFile(LogFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_lost(other.m_lost),
      m_torn(other.m_torn) {}

LogFile::~LogFile() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

int LogFile::write_all(std::string_view bytes) noexcept {
  bool begun = false;
  while (!bytes.empty()) {
    const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      m_torn = m_torn || begun;
      return errno;
    }
    begun = true;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  m_torn = false;
  return 0;
}

int LogFile::append(std::string_view line) noexcept {
  try {
    std::string bytes = m_torn ? "\n" : "";
    if (m_lost > 0) bytes += fmt::format("[{} lines are missing here]\n", m_lost);
    bytes += line;
    const int errnum = write_all(bytes);
    m_lost = errnum == 0 ? 0 : m_lost + 1;
    return errnum;
  } catch (...) {
    ++m_lost;
    return ENOMEM;
  }
}

}  // namespace radosload::base
