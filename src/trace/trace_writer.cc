#include "trace/trace_writer.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "record/file.h"
#include "trace/trace_header.h"

namespace radosload::trace {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// How often rings are emptied; a killed process loses no older rows.
constexpr auto emptied_every = std::chrono::milliseconds(50);
// The interval after the load, when rows may come as fast as they are taken.
constexpr auto emptied_in_a_hurry = std::chrono::milliseconds(1);
constexpr auto counted_every = std::chrono::seconds(1);
// Rows per write to the disk: 1.5 MiB.
constexpr std::size_t rows_at_once = 32768;
constexpr std::size_t least_rows_of_a_lane = 1024;

// 0 or an errno.
int write_header(const record::File& file, std::uint64_t rows, bool ended,
                 std::optional<Time> measured) {
  const std::string header = encode_trace_header(rows, ended, measured);
  // A few bytes within an existing block are written completely or not at all.
  const ssize_t written = ::pwrite(file.fd(), header.data(), header.size(), 0);
  if (written < 0) return errno;
  return static_cast<std::size_t>(written) == header.size() ? 0 : EIO;
}

off_t end_of(std::uint64_t rows) {
  return static_cast<off_t>(trace_header_bytes + rows * sizeof(TraceRow));
}

}  // namespace

// The thread that writes, and the rings that feed it.
class TraceWriter::Worker {
 public:
  Worker(record::File file, fs::path path, bool named, Bytes memory)
      : m_file(std::move(file)), m_path(std::move(path)), m_named(named), m_memory(memory) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  Worker(Worker&&) = delete;
  Worker& operator=(Worker&&) = delete;
  ~Worker() {
    finish();
    if (m_rows == 0 && !m_closed && m_named) ::unlink(m_path.c_str());
  }

  const fs::path& path() const { return m_path; }
  bool named() const { return m_named; }

  void begin(std::size_t lanes) {
    const std::size_t share = m_memory.count / sizeof(TraceRow) / lanes;
    for (std::size_t i = 0; i < lanes; ++i) {
      m_rings.push_back(
          std::make_unique<TraceRing>(std::max(share, least_rows_of_a_lane), m_ended));
    }
    m_staged.reserve(rows_at_once);
    m_thread = std::thread([this] { work(); });
  }
  TraceRing& ring(std::size_t lane) { return *m_rings[lane]; }
  void hurry() {
    {
      const std::lock_guard lock(m_mutex);
      m_pause = emptied_in_a_hurry;
    }
    m_wake.notify_one();
  }

  std::optional<Error> take_error() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_error, std::nullopt);
  }

  TraceEnd close(std::optional<Time> measured) {
    m_closed = true;
    {
      const std::lock_guard lock(m_mutex);
      m_measured = measured;
    }
    finish();
    TraceEnd end{.operations = 0, .rows = m_rows, .whole = m_whole};
    for (const auto& ring : m_rings) end.operations += ring->given();
    return end;
  }

 private:
  void finish() {
    {
      const std::lock_guard lock(m_mutex);
      m_closing = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable()) m_thread.join();
    m_ended.store(true, std::memory_order_relaxed);
  }

  // Uses the real clock also in virtual time, because a real disk takes real time, and this does
  // not affect the measurement.
  void work() {
    auto counted = Clock::now();
    while (!closing_after_a_pause()) {
      empty_rings();
      if (Clock::now() - counted < counted_every) continue;
      publish(false);
      counted = Clock::now();
    }
    empty_rings();
    m_whole = !m_broken && !m_ended.load(std::memory_order_relaxed);
    publish(m_whole);
    m_whole = m_whole && !m_broken;
  }

  bool closing_after_a_pause() {
    std::unique_lock lock(m_mutex);
    return m_wake.wait_for(lock, m_pause, [this] { return m_closing; });
  }

  void empty_rings() {
    if (m_broken) return;
    const bool overrun = m_ended.load(std::memory_order_relaxed);
    for (const auto& ring : m_rings) {
      // Only the rows that are there now: a fast lane must not keep the others waiting.
      for (std::uint64_t left = ring->size(); left > 0;) {
        const auto front = ring->front();
        const std::size_t space = rows_at_once - m_staged.size();
        const auto rows = front.first(std::min({front.size(), left, space}));
        m_staged.insert(m_staged.end(), rows.begin(), rows.end());
        ring->release(rows.size());
        left -= rows.size();
        if (m_staged.size() == rows_at_once) write_staged();
      }
    }
    write_staged();
    if (overrun && !m_broken) report_overrun();
  }

  void write_staged() {
    if (!m_broken && !m_staged.empty()) write_rows(m_staged);
    m_staged.clear();
  }

  void write_rows(std::span<const TraceRow> rows) {
    const auto* const begin = reinterpret_cast<const char*>(rows.data());
    const int errnum = m_file.write_all({begin, rows.size_bytes()});
    if (errnum == 0) {
      m_rows += rows.size();
      return;
    }
    // A part of the rows may have been written.
    const off_t position = ::lseek(m_file.fd(), 0, SEEK_CUR);
    if (position > end_of(m_rows)) {
      m_rows = (static_cast<std::uint64_t>(position) - trace_header_bytes) / sizeof(TraceRow);
    }
    stop_writing("write", errnum);
  }

  // Data before its count: the rows that the header counts exist, also after a power cut.
  void publish(bool ended) {
    const bool news = m_rows != m_published || ended;
    if (!news || m_lost) return;
    if (::fdatasync(m_file.fd()) != 0) return sync_failed(errno);
    const int errnum = write_header(m_file, m_rows, ended, measured());
    if (errnum != 0) return sync_failed(errnum);
    m_published = m_rows;
  }

  std::optional<Time> measured() {
    const std::lock_guard lock(m_mutex);
    return m_measured;
  }

  // It is unknown which rows since the last sync are on the disk.
  void sync_failed(int errnum) {
    m_lost = true;
    m_rows = m_published;
    stop_writing("sync", errnum);
  }

  void stop_writing(std::string attempt, int errnum) {
    m_broken = true;
    m_ended.store(true, std::memory_order_relaxed);
    // Readers accept a part of a row at the end, but whole rows are better.
    if (::ftruncate(m_file.fd(), end_of(m_rows)) != 0) m_lost = true;
    report({.attempt = std::move(attempt) + " the trace",
            .subject = m_path.string(),
            .hint = "the run continues without the trace; the rows written so far can be read",
            .errnum = errnum});
  }

  void report_overrun() {
    if (std::exchange(m_overrun_reported, true)) return;
    report({.attempt = "continue the trace",
            .subject = m_path.string(),
            .reason = "its disk is slower than the load, and the buffer of " +
                      human_text(m_memory) + " is full",
            .hint = "the run continues without the trace; use a faster disk or a lower load"});
  }

  void report(Error error) {
    const std::lock_guard lock(m_mutex);
    if (!m_error) m_error = std::move(error);
  }

  std::vector<std::unique_ptr<TraceRing>> m_rings;
  std::atomic<bool> m_ended{false};  // set when rows are no longer taken

  // Used by the thread only, and by close() after the thread has ended.
  record::File m_file;
  fs::path m_path;
  bool m_named;
  Bytes m_memory;
  std::vector<TraceRow> m_staged;
  std::uint64_t m_rows = 0;       // in the file
  std::uint64_t m_published = 0;  // in its header
  bool m_broken = false;          // nothing more can be written
  bool m_lost = false;            // not even the header
  bool m_overrun_reported = false;
  bool m_whole = false;
  bool m_closed = false;

  std::mutex m_mutex;  // guards what follows
  std::condition_variable m_wake;
  std::optional<Error> m_error;
  std::optional<Time> m_measured;
  std::chrono::milliseconds m_pause = emptied_every;
  bool m_closing = false;

  std::thread m_thread;
};

Result<std::shared_ptr<TraceWriter>> TraceWriter::create(const fs::path& path, Bytes memory) {
  record::File file = record::open_file(path, O_RDWR | O_CREAT | O_EXCL);
  if (!file.is_open()) {
    const bool there = errno == EEXIST;
    return fail(
        {.attempt = "create the trace",
         .subject = path.string(),
         .hint = there ? "a trace is never overwritten: give another file, or move this one away"
                       : "give a file that can be written with --trace FILE",
         .errnum = errno,
         .exit = Exit::refused});
  }
  const int errnum = file.write_all(encode_trace_header(0, false));
  if (errnum != 0) {
    ::unlink(path.c_str());
    return fail({.attempt = "write the trace",
                 .subject = path.string(),
                 .hint = "give a file on a disk with more space with --trace FILE",
                 .errnum = errnum,
                 .exit = Exit::refused});
  }
  auto worker = std::make_unique<Worker>(std::move(file), path, true, memory);
  return std::shared_ptr<TraceWriter>(new TraceWriter(std::move(worker)));
}

Result<std::shared_ptr<TraceWriter>> TraceWriter::create_unnamed(const fs::path& folder,
                                                                 Bytes memory) {
  // Not O_TMPFILE, which some file systems do not have.
  std::string name = (folder / "radosload-trace-XXXXXX").string();
  record::File file(::mkostemp(name.data(), O_CLOEXEC));
  const int errnum = file.is_open() ? file.write_all(encode_trace_header(0, false)) : errno;
  if (file.is_open()) ::unlink(name.c_str());
  if (errnum != 0) {
    return fail({.attempt = "store the operations of the run",
                 .subject = "in " + folder.string(),
                 .hint = "set TMPDIR to a folder with free space, or give a file with --trace FILE",
                 .errnum = errnum,
                 .exit = Exit::refused});
  }
  const fs::path path = "/proc/self/fd/" + std::to_string(file.fd());
  auto worker = std::make_unique<Worker>(std::move(file), path, false, memory);
  return std::shared_ptr<TraceWriter>(new TraceWriter(std::move(worker)));
}

TraceWriter::TraceWriter(std::unique_ptr<Worker> worker) : m_worker(std::move(worker)) {}
TraceWriter::~TraceWriter() = default;

const fs::path& TraceWriter::path() const {
  return m_worker->path();
}
bool TraceWriter::named() const {
  return m_worker->named();
}
void TraceWriter::begin(std::size_t lanes) {
  m_worker->begin(lanes);
}
TraceRing& TraceWriter::ring(std::size_t lane) {
  return m_worker->ring(lane);
}
void TraceWriter::hurry() {
  m_worker->hurry();
}
std::optional<Error> TraceWriter::take_error() {
  return m_worker->take_error();
}
TraceEnd TraceWriter::close(std::optional<Time> measured) {
  return m_worker->close(measured);
}

}  // namespace radosload::trace
