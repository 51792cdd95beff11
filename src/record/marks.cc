#include "record/marks.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "radosload/printable.h"

#include "base/json_reading.h"
#include "record/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::record {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

namespace {

std::string line_of(const Mark& mark) {
  const auto at =
      std::chrono::duration_cast<std::chrono::nanoseconds>(mark.at.time_since_epoch()).count();
  const nlohmann::ordered_json json = {{"at_ns", at}, {"text", mark.text}};
  return json.dump() + "\n";
}

// Nothing for a line that send_mark() has not written.
std::optional<Mark> mark_from(std::string_view line) {
  const auto json = read_json(line);
  if (!json || !json->is_object()) return std::nullopt;
  const auto at = json->find("at_ns");
  const auto text = json->find("text");
  if (at == json->end() || !at->is_number_integer()) return std::nullopt;
  if (text == json->end() || !text->is_string()) return std::nullopt;
  Mark mark{.at = steady_clock::time_point(std::chrono::nanoseconds(at->get<std::int64_t>())),
            .text = text->get<std::string>()};
  if (mark.at < steady_clock::time_point() || !check_mark(mark.text)) return std::nullopt;
  return mark;
}

tl::unexpected<Error> not_marked(const fs::path& path, std::string reason, int errnum = 0) {
  return fail({.attempt = "mark the run",
               .subject = path.stem().string(),
               .reason = std::move(reason),
               .errnum = errnum});
}

}  // namespace

Status check_mark(std::string_view text) {
  const bool blank = text.find_first_not_of(' ') == std::string_view::npos;
  if (!blank && text.size() <= longest_mark && printable(text) == text) return {};
  return fail({.attempt = "mark a run",
               .reason = blank ? "the text is empty"
                         : text.size() > longest_mark
                             ? fmt::format("the text has {} bytes", text.size())
                             : "the text has control characters, or is not UTF-8",
               .hint = fmt::format("write one line of at most {} bytes", longest_mark),
               .exit = Exit::usage});
}

Status send_mark(const fs::path& path, const Mark& mark) {
  RADOSLOAD_TRY(check_mark(mark.text));
  const File file = open_file(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK);
  if (!file.is_open()) {
    if (errno == ENOENT) return not_marked(path, "it has just ended");
    return not_marked(path, "", errno);
  }
  struct stat found {};
  if (::fstat(file.fd(), &found) != 0) return not_marked(path, "", errno);
  if (!S_ISREG(found.st_mode) || found.st_uid != ::geteuid()) {
    return not_marked(path, fmt::format("{} is not a file of this user", path.string()));
  }
  const std::string line = line_of(mark);
  if (static_cast<std::size_t>(found.st_size) + line.size() > most_mark_bytes) {
    return not_marked(path,
                      fmt::format("its marks fill {} KiB, the limit", most_mark_bytes / 1024));
  }
  if (const int errnum = file.write_all(line); errnum != 0) return not_marked(path, "", errnum);
  // A run that ends removes the file first and reads the rest then: this mark may be too late.
  if (::fstat(file.fd(), &found) != 0 || found.st_nlink == 0) {
    return not_marked(path, "it has just ended; the mark may be missing from its record");
  }
  return {};
}

// The thread that reads, and what it has found.
class MarkInbox::Reader {
 public:
  Reader(File file, fs::path path) : m_file(std::move(file)), m_path(std::move(path)) {
    m_thread = std::thread([this] { work(); });
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  Reader(Reader&&) = delete;
  Reader& operator=(Reader&&) = delete;
  ~Reader() { close(); }

  std::vector<Mark> take() {
    const std::lock_guard lock(m_mutex);
    m_asked = true;
    m_wake.notify_one();
    return std::exchange(m_found, {});
  }

  std::vector<Mark> close() {
    {
      const std::lock_guard lock(m_mutex);
      m_closing = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable()) m_thread.join();
    return std::exchange(m_found, {});
  }

 private:
  void work() {
    while (wait()) read();
    ::unlink(m_path.c_str());
    read();
  }

  // False at the end.
  bool wait() {
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return m_closing || m_asked; });
    m_asked = false;
    return !m_closing;
  }

  // Up to the limit of bytes. A line that is not whole yet is read with its rest.
  void read() {
    std::array<char, 4096> chunk;
    while (m_offset < most_mark_bytes) {
      const std::size_t most = std::min(chunk.size(), most_mark_bytes - m_offset);
      const ssize_t got = ::pread(m_file.fd(), chunk.data(), most, static_cast<off_t>(m_offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return;
      m_offset += static_cast<std::size_t>(got);
      m_rest.append(chunk.data(), static_cast<std::size_t>(got));
      take_lines();
    }
  }

  void take_lines() {
    for (std::size_t end = m_rest.find('\n'); end != std::string::npos; end = m_rest.find('\n')) {
      auto mark = mark_from(std::string_view(m_rest).substr(0, end));
      m_rest.erase(0, end + 1);
      if (!mark) continue;
      const std::lock_guard lock(m_mutex);
      m_found.push_back(*std::move(mark));
    }
  }

  // The thread's own.
  File m_file;
  fs::path m_path;
  std::size_t m_offset = 0;
  std::string m_rest;

  std::mutex m_mutex;  // guards what follows
  std::condition_variable m_wake;
  std::vector<Mark> m_found;
  bool m_asked = false;
  bool m_closing = false;

  std::thread m_thread;
};

Result<std::unique_ptr<MarkInbox>> MarkInbox::create(const fs::path& path) {
  File file = open_file(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (!file.is_open()) {
    return fail(
        {.attempt = "create the file for marks", .subject = path.string(), .errnum = errno});
  }
  return std::unique_ptr<MarkInbox>(new MarkInbox(std::make_unique<Reader>(std::move(file), path)));
}

MarkInbox::MarkInbox(std::unique_ptr<Reader> reader) : m_reader(std::move(reader)) {}
MarkInbox::~MarkInbox() = default;

std::vector<Mark> MarkInbox::take() {
  return m_reader->take();
}

std::vector<Mark> MarkInbox::close() {
  return m_reader->close();
}

}  // namespace radosload::record
