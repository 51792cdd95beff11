#include "record/journal.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <deque>
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

// The thread that writes, and the queue that feeds it.
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

  void append(JournalLine line) {
    const std::lock_guard lock(m_mutex);
    if (m_closing || m_failed) return;
    m_queue.push_back(std::move(line));
    m_wake.notify_one();
  }

  std::optional<Error> take_error() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_error, std::nullopt);
  }

  void finish() {
    {
      const std::lock_guard lock(m_mutex);
      m_closing = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable()) m_thread.join();
    m_file = File();  // lets go of the lock
  }

 private:
  void work() {
    while (auto line = next()) write(*line);
    if (m_good > 0) sync();
  }

  std::optional<JournalLine> next() {
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return m_closing || !m_queue.empty(); });
    if (m_queue.empty()) return std::nullopt;
    JournalLine line = std::move(m_queue.front());
    m_queue.pop_front();
    return line;
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
      sync_if_due(interval->end());
      age_if_long(interval->end());
    }
  }

  // Twice the size it had when it was last made short, so that the work stays in proportion.
  void age_if_long(Time now) {
    if (m_broken || m_good < m_longest) return;
    auto aged = age_journal(m_path, now);
    if (aged) {
      m_file = std::move(aged->file);
      m_good = aged->size;
    } else {
      base::log_info("the journal stays as long as it is: {}", aged.error().message());
    }
    m_longest = std::max(longest_young, 2 * m_good);
  }

  // By the time of the run's intervals, which come once a second, so no other clock is needed.
  void sync_if_due(Time now) {
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
    const std::lock_guard lock(m_mutex);
    m_failed = true;
    m_queue.clear();
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
  std::optional<Time> m_synced;
  bool m_broken = false;

  std::mutex m_mutex;  // guards what follows
  std::condition_variable m_wake;
  std::deque<JournalLine> m_queue;
  std::optional<Error> m_error;
  bool m_failed = false;
  bool m_closing = false;

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
