#include "probe/history.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <utility>
#include <variant>

#include "base/log.h"
#include "base/wall_clock.h"

#include <fmt/format.h>

namespace radosload::probe {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view ending = ".jsonl";
constexpr std::size_t number_digits = 6;
constexpr std::size_t day_size = 10;  // 2026-11-26

std::string day_of(Time at) {
  return base::moment_text(at).substr(0, day_size);
}

// "000001-2026-11-26.jsonl"
bool is_history_name(const std::string& name) {
  if (name.size() != number_digits + 1 + day_size + ending.size() || !name.ends_with(ending)) {
    return false;
  }
  return name[number_digits] == '-' && name.find_first_not_of("0123456789") == number_digits;
}

std::uint64_t number_of(const fs::path& file) {
  return std::stoull(file.filename().string().substr(0, number_digits));
}

std::string day_of(const fs::path& file) {
  return file.filename().string().substr(number_digits + 1, day_size);
}

tl::unexpected<Error> folder_error(std::string attempt, const fs::path& folder, int errnum) {
  return fail({.attempt = std::move(attempt),
               .subject = folder.string(),
               .hint = "name a folder that this user may write to with --history",
               .errnum = errnum,
               .exit = Exit::refused});
}

Result<base::Descriptor> lock_folder(const fs::path& folder) {
  const fs::path path = folder / "lock";
  constexpr mode_t own = 0600;
  base::Descriptor lock(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, own));  // NOLINT
  if (!lock.valid()) return folder_error("lock the history", path, errno);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) return folder_error("lock the history", path, errno);
  return fail({.attempt = "write the history in",
               .subject = folder.string(),
               .reason = "another 'radosload probe' writes there",
               .hint = "end that one, or name another folder with --history",
               .exit = Exit::refused});
}

// The pool and namespace that the history is of.
Status check_same(const fs::path& folder, const HistoryHeader& header) {
  RADOSLOAD_ASSIGN(const auto files, history_files(folder));
  if (files.empty()) return {};
  std::optional<HistoryHeader> known;
  RADOSLOAD_TRY(read_history({files.back()}, [&](const HistoryLine& line) {
    if (const auto* const found = std::get_if<HistoryHeader>(&line)) known = *found;
  }));
  if (!known || (known->pool == header.pool && known->nspace == header.nspace)) return {};
  return fail(
      {.attempt = "continue the history in",
       .subject = folder.string(),
       .reason = fmt::format("it is of pool '{}', namespace '{}'", known->pool, known->nspace),
       .hint = "name another folder with --history",
       .exit = Exit::refused});
}

std::uint64_t count_rounds(const fs::path& file) {
  std::uint64_t rounds = 0;
  static_cast<void>(read_history({file}, [&](const HistoryLine& line) {
    if (std::holds_alternative<Round>(line)) ++rounds;
  }));
  return rounds;
}

}  // namespace

Result<History> History::open(const fs::path& folder, HistoryHeader header,
                              const Retention& retention) {
  std::error_code code;
  const bool made = fs::create_directories(folder, code);
  if (made) fs::permissions(folder, fs::perms::owner_all, code);
  if (code) return folder_error("make the folder of the history", folder, code.value());
  RADOSLOAD_ASSIGN(auto lock, lock_folder(folder));
  RADOSLOAD_TRY(check_same(folder, header));
  return History(folder, std::move(header), retention, std::move(lock));
}

Status History::append(const Round& round) {
  return write(encode(round), round.at);
}

Status History::append(const Change& change, Time at) {
  return write(encode(change), at);
}

Status History::write(const std::string& line, Time at) {
  auto written = turn_to(day_of(at));
  if (written) written = m_file->append(line);
  if (written) return {};
  Error error = written.error();
  error.hint = error.errnum == ENOSPC || error.errnum == EDQUOT
                   ? "free some space, or keep fewer days with --keep-days; the probe continues"
                   : "the probe continues without this round in the history";
  return fail(std::move(error));
}

Status History::turn_to(const std::string& day) {
  if (m_file && m_day == day) return {};
  RADOSLOAD_ASSIGN(const auto files, history_files(m_folder));
  const bool same = !files.empty() && day_of(files.back()) == day;
  const std::uint64_t number = files.empty() ? 1 : number_of(files.back()) + (same ? 0 : 1);
  const fs::path path = m_folder / fmt::format("{:0{}}-{}{}", number, number_digits, day, ending);
  m_file.reset();
  RADOSLOAD_ASSIGN(auto file, record::LineJournal::open(path));
  m_file.emplace(std::move(file));
  m_day = day;
  // Each process begins with a header, so that the last one of a file is always of the last writer.
  if (auto written = m_file->append(encode(m_header)); !written) {
    m_file.reset();
    return written;
  }
  remove_old();
  return {};
}

void History::remove_old() const {
  auto files = history_files(m_folder);
  if (!files) return;
  std::reverse(files->begin(), files->end());
  std::uint64_t bytes = 0;
  std::uint64_t kept = 0;
  for (const fs::path& file : *files) {
    std::error_code code;
    const auto size = fs::file_size(file, code);
    bytes += code ? 0 : size;
    const bool fits = kept < m_retention.days && bytes <= m_retention.bytes.count;
    if (kept == 0 || fits) {
      ++kept;
      continue;
    }
    fs::remove(file, code);
    base::log_info("removed {} of the probe's history", file.string());
  }
}

Result<std::vector<fs::path>> history_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    if (is_history_name(at->path().filename().string())) files.push_back(at->path());
  }
  if (code && code != std::errc::no_such_file_or_directory) {
    return folder_error("read the history in", folder, code.value());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<HistoryReading> read_history(const std::vector<fs::path>& files, const LineTaker& take) {
  HistoryReading reading;
  for (const fs::path& file : files) {
    RADOSLOAD_ASSIGN(const auto text, record::read_lines(file));
    std::size_t from = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         from = end + 1, end = text.find('\n', from)) {
      const auto line = decode_history_line(std::string_view(text).substr(from, end - from));
      if (line) {
        take(*line);
        continue;
      }
      ++reading.unreadable;
      if (reading.problem.empty()) {
        reading.problem = fmt::format("{}: {}", file.string(), line.error().reason);
      }
    }
  }
  return reading;
}

Result<std::vector<fs::path>> latest_files(const fs::path& folder, std::uint64_t rounds) {
  RADOSLOAD_ASSIGN(auto files, history_files(folder));
  std::uint64_t found = 0;
  auto first = files.end();
  while (first != files.begin() && found < rounds) {
    --first;
    found += count_rounds(*first);
  }
  return std::vector<fs::path>(first, files.end());
}

}  // namespace radosload::probe
