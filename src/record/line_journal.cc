#include "record/line_journal.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "record/file.h"

namespace radosload::record {

namespace fs = std::filesystem;

Result<std::string> read_lines(const fs::path& path) {
  std::error_code ignored;
  // A device may have no end.
  if (!fs::is_regular_file(path, ignored)) return std::string();
  return read_file(path);
}

class LineJournal::Lines {
 public:
  Lines(File file, fs::path path, std::size_t good)
      : m_file(std::move(file)), m_path(std::move(path)), m_good(good) {}

  Status append(std::string_view line) {
    int errnum = m_file.write_all(line);
    if (errnum != 0) {
      // Readers ignore a torn line, but only at the end.
      if (::ftruncate(m_file.fd(), static_cast<off_t>(m_good)) != 0 && errnum == 0) errnum = errno;
      return unwritten(errnum);
    }
    m_good += line.size();
    return sync_if_due();
  }

 private:
  // A study adds a line in seconds; synced each time, a thousand would take a minute of waiting.
  Status sync_if_due() {
    constexpr auto sync_every = std::chrono::seconds(5);
    const auto now = std::chrono::steady_clock::now();
    if (m_synced && now - *m_synced < sync_every) return {};
    m_synced = now;
    return ::fdatasync(m_file.fd()) == 0 ? Status{} : unwritten(errno);
  }
  Status unwritten(int errnum) const {
    return fail({.attempt = "write to",
                 .subject = m_path.string(),
                 .hint = errnum == ENOSPC ? "free some space, then continue with --resume" : "",
                 .errnum = errnum});
  }

  File m_file;
  fs::path m_path;
  std::size_t m_good;  // bytes of whole lines
  std::optional<std::chrono::steady_clock::time_point> m_synced;
};

LineJournal::LineJournal(std::unique_ptr<Lines> lines) : m_lines(std::move(lines)) {}
LineJournal::LineJournal(LineJournal&& other) noexcept = default;
LineJournal::~LineJournal() = default;

Result<LineJournal> LineJournal::open(const fs::path& path) {
  RADOSLOAD_ASSIGN(const auto text, read_lines(path));
  File file = open_file(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW);
  const std::size_t last = text.rfind('\n');
  const std::size_t good = last == std::string::npos ? 0 : last + 1;
  const bool torn = good < text.size();
  if (!file.is_open() || (torn && ::ftruncate(file.fd(), static_cast<off_t>(good)) != 0)) {
    return fail({.attempt = "open for writing", .subject = path.string(), .errnum = errno});
  }
  return LineJournal(std::make_unique<Lines>(std::move(file), path, good));
}

Status LineJournal::append(std::string_view line) {
  return m_lines->append(line);
}

}  // namespace radosload::record
