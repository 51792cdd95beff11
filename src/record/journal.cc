#include "record/journal.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <mutex>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/log.h"
#include "record/file.h"
#include "record/journal_aging.h"
#include "record/journal_queue.h"

#include <fmt/format.h>

namespace radosload::record {

namespace {

bool is_still_at(const File& file, const std::filesystem::path& path) {
  struct stat opened = {};
  struct stat there = {};
  if (::fstat(file.fd(), &opened) != 0 || ::stat(path.c_str(), &there) != 0) return true;
  return opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

}  // namespace

// The thread that writes.
class JournalWriter::Worker {
 public:
  Worker(File file, std::filesystem::path path) : m_file(std::move(file)), m_path(std::move(path)) {
    m_thread = std::thread([this] { work(); });
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  Worker(Worker&&) = delete;
  Worker& operator=(Worker&&) = delete;
  ~Worker() { finish(); }

  void append(JournalLine&& line) { m_queue.push(std::move(line)); }

  std::optional<Error> take_error() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_error, std::nullopt);
  }

  void finish() {
    m_queue.close();
    if (m_thread.joinable()) m_thread.join();
    m_file = File();  // lets go of the lock
  }

 private:
  void work() {
    while (auto line = m_queue.pop()) write(*line);
    if (m_good > 0) sync();
    // The journal is kept, and may be twice as long as it needs to be.
    if (m_good > longest_young) age(m_now);
  }

  void write(const JournalLine& line) {
    if (m_broken) return;
    const std::string text = encode_line(line);
    const int errnum = m_file.write_all(text);
    if (errnum != 0) {
      // Removes a partly written line; readers would accept it, but whole lines are better.
      if (::ftruncate(m_file.fd(), static_cast<off_t>(m_good)) != 0) m_broken = true;
      stop_writing("write", errnum);
      return;
    }
    m_good += text.size();
    if (const auto* interval = std::get_if<Interval>(&line); interval != nullptr) {
      m_now = interval->end();
      sync_if_due();
      if (m_good >= m_longest) age(m_now);
    }
  }

  void age(Time now) {
    if (m_broken) return;
    auto aged = age_journal(m_path, now);
    if (aged) {
      m_file = std::move(aged->file);
      m_good = aged->size;
    } else {
      base::log_info("the journal stays as long as it is: {}", aged.error().message());
    }
    // Twice the size it has now, so that the work stays in proportion.
    m_longest = std::max(longest_young, 2 * m_good);
  }

  // By the clock of the machine: in virtual time a run of days would wait for the disk 17,000
  // times.
  void sync_if_due() {
    const auto now = std::chrono::steady_clock::now();
    if (!m_synced) m_synced = now;
    if (now - *m_synced < sync_every) return;
    m_synced = now;
    sync();
  }

  void sync() {
    if (!m_broken && ::fdatasync(m_file.fd()) != 0) stop_writing("sync", errno);
  }

  void stop_writing(std::string attempt, int errnum) {
    m_broken = true;
    m_queue.discard();
    const std::lock_guard lock(m_mutex);
    m_error = Error{.attempt = std::move(attempt) + " the journal",
                    .subject = m_path.string(),
                    .hint = "the run continues; a crash would lose its results",
                    .errnum = errnum};
  }

  static constexpr std::size_t longest_young = std::size_t{16} << 20U;

  // The thread's own.
  File m_file;
  std::filesystem::path m_path;
  std::size_t m_good = 0;                 // bytes of whole lines
  std::size_t m_longest = longest_young;  // from which size on old lines are merged
  Time m_now{0};                          // the end of the last second
  std::optional<std::chrono::steady_clock::time_point> m_synced;
  bool m_broken = false;

  JournalQueue m_queue;
  std::mutex m_mutex;  // guards the error
  std::optional<Error> m_error;

  std::thread m_thread;
};

Result<std::unique_ptr<JournalWriter>> JournalWriter::create(const std::filesystem::path& path) {
  File file = open_file(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
  if (!file.is_open()) {
    return fail({.attempt = "create the journal", .subject = path.string(), .errnum = errno});
  }
  // The file is new, so only a reader that looks for killed runs can hold a lock, for a moment.
  int locked = 0;
  do locked = ::flock(file.fd(), LOCK_EX);
  while (locked != 0 && errno == EINTR);
  if (locked != 0) {
    return fail({.attempt = "lock the journal", .subject = path.string(), .errnum = errno});
  }
  return std::unique_ptr<JournalWriter>(
      new JournalWriter(std::make_unique<Worker>(std::move(file), path)));
}

JournalWriter::JournalWriter(std::unique_ptr<Worker> worker) : m_worker(std::move(worker)) {}
JournalWriter::~JournalWriter() = default;

void JournalWriter::append(JournalLine line) {
  m_worker->append(std::move(line));
}

std::optional<Error> JournalWriter::take_error() {
  return m_worker->take_error();
}

void JournalWriter::close() {
  m_worker->finish();
}

bool has_live_writer(const std::filesystem::path& path) {
  // A writer may put a shorter journal in the place of this one and let go of the old file.
  while (true) {
    const File file = open_file(path, O_RDONLY);
    if (!file.is_open()) return false;
    if (::flock(file.fd(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) return true;
    if (is_still_at(file, path)) return false;
  }
}

}  // namespace radosload::record
