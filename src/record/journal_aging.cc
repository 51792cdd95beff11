#include "record/journal_aging.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <unistd.h>
#include <utility>
#include <variant>

#include "record/aged_timeline.h"
#include "record/journal.h"

namespace radosload::record {

namespace {

// The length that a line's seconds are merged to; nothing for a line that stays.
std::optional<Time> merged_length(const Interval& interval, Time now) {
  std::optional<Time> length;
  if (interval.start < Time(0)) return length;
  for (const AgeStep& step : age_steps) {
    const Time end = (slot_of(interval.start, step.length) + 1) * step.length;
    if (end + step.age <= now) length = step.length;
  }
  return length;
}

// Writes lines to a new file, intervals merged.
class Merger {
 public:
  Merger(const File& to, Time now) : m_to(to), m_now(now) {}

  void add_line(std::string_view line) {
    auto read = decode_line(line.substr(0, line.size() - 1), "");
    // Seconds on both sides of what cannot be read stay apart, so that the gap is seen.
    if (!read) flush();
    auto* const interval = read ? std::get_if<Interval>(&*read) : nullptr;
    if (interval == nullptr) return write(line);
    const auto length = merged_length(*interval, m_now);
    if (m_open && (length != m_length ||
                   slot_of(m_open->start, *m_length) != slot_of(interval->start, *length))) {
      flush();
    }
    if (!length) return write(line);
    m_length = length;
    m_open = m_open ? merge_sequence(*std::move(m_open), *interval) : std::move(*interval);
  }
  // 0 or an errno.
  int finish() {
    flush();
    if (m_errnum == 0 && ::fdatasync(m_to.fd()) != 0) m_errnum = errno;
    return m_errnum;
  }
  std::size_t size() const { return m_size; }

 private:
  void flush() {
    if (!m_open) return;
    // Each second had its own worst OSDs.
    if (m_open->reduced) keep_worst(*m_open, worst_osds);
    write(encode_line(*std::exchange(m_open, std::nullopt)));
  }
  void write(std::string_view line) {
    if (m_errnum != 0) return;
    m_errnum = m_to.write_all(line);
    m_size += line.size();
  }

  const File& m_to;
  Time m_now;
  std::optional<Interval> m_open;
  std::optional<Time> m_length;
  std::size_t m_size = 0;
  int m_errnum = 0;
};

// Line by line, because a journal of days does not fit into a small machine's memory as text.
Status merge_lines(const std::filesystem::path& path, Merger& merger) {
  const File from = open_file(path, O_RDONLY);
  if (!from.is_open()) return fail({.attempt = "read", .subject = path.string(), .errnum = errno});
  constexpr std::size_t chunk = std::size_t{1} << 20U;
  std::string text;
  while (true) {
    const std::size_t had = text.size();
    text.resize(had + chunk);
    const ssize_t got = ::read(from.fd(), text.data() + had, chunk);
    text.resize(had + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail({.attempt = "read", .subject = path.string(), .errnum = errno});
    if (got == 0) return {};
    std::size_t begin = 0;
    for (auto end = text.find('\n', had); end != std::string::npos; end = text.find('\n', begin)) {
      merger.add_line(std::string_view(text).substr(begin, end + 1 - begin));
      begin = end + 1;
    }
    text.erase(0, begin);
  }
}

Status replace(const std::filesystem::path& with, const std::filesystem::path& path) {
  if (::rename(with.c_str(), path.c_str()) == 0) return {};
  return fail({.attempt = "replace", .subject = path.string(), .errnum = errno});
}

}  // namespace

std::filesystem::path shorter_journal(const std::filesystem::path& path) {
  return path.string() + ".new";
}

Result<AgedJournal> age_journal(const std::filesystem::path& path, Time now) {
  const std::filesystem::path fresh = shorter_journal(path);
  File file = open_file(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW);
  if (!file.is_open() || ::flock(file.fd(), LOCK_EX | LOCK_NB) != 0) {
    return fail({.attempt = "create", .subject = fresh.string(), .errnum = errno});
  }
  Merger merger(file, now);
  Status done = merge_lines(path, merger);
  const int errnum = merger.finish();
  if (done && errnum != 0) {
    done = fail({.attempt = "write", .subject = fresh.string(), .errnum = errnum});
  }
  if (done) done = replace(fresh, path);
  if (done) return AgedJournal{std::move(file), merger.size()};
  ::unlink(fresh.c_str());
  return tl::make_unexpected(done.error());
}

}  // namespace radosload::record
