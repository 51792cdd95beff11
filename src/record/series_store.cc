#include "record/series_store.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "record/file.h"
#include "record/names.h"

namespace radosload::record {

namespace fs = std::filesystem;

Result<Series> load_series(const fs::path& path) {
  RADOSLOAD_ASSIGN(const auto text, read_file(path));
  return series_from_json(text, path.string());
}

Status save_series(const fs::path& path, const Series& series, Existing existing) {
  return save(path, to_json(series), existing);
}

bool names_a_file(const std::string& name) {
  return is_path(name);
}

bool holds_series(const fs::path& path) {
  return has_schema(path, series_schema);
}

namespace {

// Distinguishes the lock of a killed process from a file that radosload did not write.
constexpr std::string_view lock_text = "radosload: a series is being run\n";

Result<File> open_lock(const fs::path& path) {
  // An existing file is only opened for reading; opening a pipe must not block.
  File made = open_file(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (made.is_open()) {
    static_cast<void>(made.write_all(lock_text));  // without it, the file just stays at the end
    return made;
  }
  File found = errno == EEXIST ? open_file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) : File();
  if (found.is_open()) return found;
  return fail({.attempt = "lock the series",
               .subject = path.string(),
               .hint = "give a file with --save FILE, or save nothing with --save none",
               .errnum = errno});
}

bool holds_lock_text(const File& file) {
  std::array<char, lock_text.size() + 1> bytes{};
  const ssize_t got = ::pread(file.fd(), bytes.data(), bytes.size(), 0);
  return got >= 0 && std::string_view(bytes.data(), static_cast<std::size_t>(got)) == lock_text;
}

// Whether the opened file still has this name: its last holder may just have removed it.
bool still_there(const File& file, const fs::path& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file.fd(), &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

// A separate file, because every save replaces the document, and its lock would be lost.
class SeriesLock::Holder {
 public:
  Holder(File file, fs::path path) : m_file(std::move(file)), m_path(std::move(path)) {}
  ~Holder() {
    if (holds_lock_text(m_file) && still_there(m_file, m_path)) ::unlink(m_path.c_str());
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  Holder(Holder&&) = delete;
  Holder& operator=(Holder&&) = delete;

 private:
  File m_file;
  fs::path m_path;
};

SeriesLock::SeriesLock(std::unique_ptr<Holder> holder) : m_holder(std::move(holder)) {}
SeriesLock::SeriesLock(SeriesLock&& other) noexcept = default;
SeriesLock::~SeriesLock() = default;

Result<SeriesLock> SeriesLock::acquire(const fs::path& document) {
  fs::path path = document;
  path += ".lock";
  while (true) {
    RADOSLOAD_ASSIGN(auto file, open_lock(path));
    if (::flock(file.fd(), LOCK_EX | LOCK_NB) != 0) break;
    if (!still_there(file, path)) continue;
    return SeriesLock(std::make_unique<Holder>(std::move(file), std::move(path)));
  }
  return fail({.attempt = "resume the series",
               .subject = document.string(),
               .reason = "another process is running it",
               .exit = Exit::refused});
}

Result<SeriesStore> SeriesStore::beside(const Store& runs) {
  return SeriesStore(folder_beside(runs, "series"));
}

}  // namespace radosload::record
