#include "cli/commands/log_lines.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "record/file.h"

namespace radosload::cli {

namespace {

constexpr off_t most_bytes = off_t{16} << 20U;

tl::unexpected<Error> unreadable(const std::string& path, std::string reason, int errnum = 0) {
  return fail(
      {.attempt = "read the log", .subject = path, .reason = std::move(reason), .errnum = errnum});
}

bool is_mark_of_lost_lines(std::string_view line) {
  constexpr std::string_view end = " lines are missing here]";
  if (!line.starts_with('[') || !line.ends_with(end)) return false;
  const std::string_view number = line.substr(1, line.size() - 1 - end.size());
  return number.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

bool is_log_line(std::string_view line) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd.dddZ d";
  return line.size() > form.size() &&
         std::equal(form.begin(), form.end(), line.begin(), [](char wanted, char letter) {
           return wanted == 'd' ? letter >= '0' && letter <= '9' : letter == wanted;
         });
}

Result<LogLines> log_lines(const std::string& path) {
  const record::File file = record::open_file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!file.is_open()) return unreadable(path, "", errno);
  struct stat found {};
  if (::fstat(file.fd(), &found) != 0) return unreadable(path, "", errno);
  if (!S_ISREG(found.st_mode)) return unreadable(path, "it is not a regular file");
  if (found.st_uid != ::geteuid()) return unreadable(path, "the file belongs to another user");
  const bool tail = found.st_size > most_bytes;
  if (tail) ::lseek(file.fd(), -most_bytes, SEEK_END);
  std::string bytes;
  std::array<char, 65536> chunk;
  for (ssize_t got = 0; (got = ::read(file.fd(), chunk.data(), chunk.size())) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, "", errno);
    bytes.append(chunk.data(), static_cast<std::size_t>(got));
  }
  LogLines lines{.text = {}, .skipped = tail ? 1U : 0U};
  std::string_view left = bytes;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    if (is_log_line(line) || is_mark_of_lost_lines(line)) {
      lines.text += line;
      lines.text += '\n';
    } else {
      ++lines.skipped;
    }
  }
  return lines;
}

}  // namespace radosload::cli
