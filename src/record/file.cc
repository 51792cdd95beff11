#include "record/file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace radosload::record {

namespace {

tl::unexpected<Error> failed(std::string attempt, const std::filesystem::path& path, int errnum) {
  return fail({.attempt = std::move(attempt),
               .subject = path.string(),
               .reason = {},
               .hint = errnum == ENOSPC ? "free some space, or save elsewhere with --save" : "",
               .errnum = errnum});
}

// 0 or an errno. Some file systems cannot sync a folder; then there is nothing to be done.
int sync_folder(const std::filesystem::path& folder) {
  const File opened = open_file(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  if (!opened.is_open()) return errno;
  return ::fsync(opened.fd()) == 0 || errno == EINVAL ? 0 : errno;
}

// Devices and pipes are written to: replaced by a file, /dev/null would be gone for everybody.
bool is_special(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

Status write_into(const std::filesystem::path& path, std::string_view contents) {
  const File file = open_file(path, O_WRONLY);
  if (!file.is_open()) return failed("write", path, errno);
  if (const int errnum = file.write_all(contents); errnum != 0) {
    return failed("write", path, errnum);
  }
  return {};
}

}  // namespace

File& File::operator=(File&& other) noexcept {
  std::swap(m_fd, other.m_fd);
  return *this;
}

File::~File() {
  if (m_fd >= 0) ::close(m_fd);
}

int File::write_all(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::write(m_fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

File open_file(const std::filesystem::path& path, int flags) {
  // Plans name pools, keyrings and monitors: nobody else's business.
  constexpr mode_t owner_only = 0600;
  return File(::open(path.c_str(), flags | O_CLOEXEC, owner_only));
}

Result<std::string> read_file(const std::filesystem::path& path) {
  const File file = open_file(path, O_RDONLY);
  if (!file.is_open()) return failed("read", path, errno);
  std::string contents;
  std::array<char, 65536> chunk;
  while (true) {
    const ssize_t got = ::read(file.fd(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("read", path, errno);
    if (got == 0) return contents;
    contents.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

Status replace_file(const std::filesystem::path& path, std::string_view contents) {
  if (is_special(path)) return write_into(path, contents);
  // Beside the target, so that the rename stays within one file system; with our pid, so that two
  // programs saving to one name do not write into each other's file.
  std::filesystem::path draft = path;
  draft += "." + std::to_string(::getpid()) + ".new";
  const File file = open_file(draft, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.is_open()) return failed("write", path, errno);
  int errnum = file.write_all(contents);
  if (errnum == 0 && ::fsync(file.fd()) != 0) errnum = errno;
  if (errnum == 0 && std::rename(draft.c_str(), path.c_str()) != 0) errnum = errno;
  if (errnum != 0) {
    ::unlink(draft.c_str());
    return failed("write", path, errnum);
  }
  errnum = sync_folder(path.parent_path());
  if (errnum != 0) return failed("sync the folder of", path, errnum);
  return {};
}

}  // namespace radosload::record
