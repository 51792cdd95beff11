#include "trace/trace_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "record/file.h"

namespace radosload::trace {

namespace {

tl::unexpected<Error> unreadable(const std::string& name, std::string reason, int errnum) {
  return fail({.attempt = "read the trace",
               .subject = name,
               .reason = std::move(reason),
               .errnum = errnum,
               .exit = Exit::usage});
}

// Reads `bytes` bytes, or fewer at the end of the file. Negative: -errno.
ssize_t read_at(const record::File& file, char* into, std::size_t bytes, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got =
        ::pread(file.fd(), into + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -errno;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

}  // namespace

TraceFile::TraceFile(std::shared_ptr<const record::File> file, std::string name)
    : m_file(std::move(file)), m_name(std::move(name)) {}

Result<TraceFile> TraceFile::open(const std::filesystem::path& path) {
  // Non-blocking: opening a pipe must not wait for its writer.
  const auto file =
      std::make_shared<const record::File>(record::open_file(path, O_RDONLY | O_NONBLOCK));
  if (!file->is_open()) return unreadable(path.string(), {}, errno);
  struct stat status {};
  if (::fstat(file->fd(), &status) != 0) return unreadable(path.string(), {}, errno);
  if (!S_ISREG(status.st_mode)) return unreadable(path.string(), "it is not a regular file", 0);
  TraceFile trace(file, path.string());
  RADOSLOAD_TRY(trace.read_header());
  const auto size = static_cast<std::uint64_t>(status.st_size);
  RADOSLOAD_TRY(trace.count_rows(size));
  return trace;
}

Status TraceFile::read_header() {
  std::string begin(longest_trace_header, '\0');
  const ssize_t got = read_at(*m_file, begin.data(), begin.size(), 0);
  if (got < 0) return unreadable(m_name, {}, static_cast<int>(-got));
  begin.resize(static_cast<std::size_t>(got));
  RADOSLOAD_ASSIGN(m_header, parse_trace_header(begin, m_name));
  return {};
}

// The header of a run that was killed is up to a second older than the data. Whole rows behind it
// are valid; after a power cut there may be zeros instead, which are not rows.
Status TraceFile::count_rows(std::uint64_t bytes) {
  const std::uint64_t there =
      bytes > m_header.data_begin ? (bytes - m_header.data_begin) / sizeof(TraceRow) : 0;
  m_rows = std::min(there, m_header.rows);
  if (m_header.ended || there <= m_header.rows) return {};
  constexpr std::size_t at_once = 4096;
  constexpr TraceRow nothing{};
  std::vector<TraceRow> rows(at_once);
  while (m_rows < there) {
    const std::uint64_t before = m_rows;
    m_rows = there;  // how far read() may go
    const auto got = read(before, rows);
    m_rows = before;
    if (!got) return fail(got.error());
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(*got);
    const auto hole = std::find(rows.begin(), end, nothing);
    m_rows += static_cast<std::uint64_t>(hole - rows.begin());
    if (hole != end || *got == 0) break;
  }
  return {};
}

Result<std::size_t> TraceFile::read(std::uint64_t first, std::span<TraceRow> into) const {
  if (first >= m_rows) return std::size_t{0};
  const std::size_t rows = std::min(into.size(), m_rows - first);
  const ssize_t got =
      read_at(*m_file, reinterpret_cast<char*>(into.data()), rows * sizeof(TraceRow),
              m_header.data_begin + first * sizeof(TraceRow));
  if (got < 0) return unreadable(m_name, {}, static_cast<int>(-got));
  if (static_cast<std::size_t>(got) < rows * sizeof(TraceRow)) {
    return unreadable(m_name, "the file was truncated while it was being read", 0);
  }
  return rows;
}

Status TraceFile::each_piece(std::uint64_t begin, std::uint64_t end, const Take& take) const {
  constexpr std::size_t at_once = 16384;
  std::vector<TraceRow> rows(at_once);
  while (begin < end) {
    const auto wanted = std::span(rows).first(std::min(rows.size(), end - begin));
    RADOSLOAD_ASSIGN(const auto got, read(begin, wanted));
    if (!take(begin, wanted.first(got))) return {};
    begin += got;
  }
  return {};
}

}  // namespace radosload::trace
