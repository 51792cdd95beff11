#include "record/file.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace radosload::record {

namespace {

tl::unexpected<Error> failed(std::string attempt, const std::filesystem::path& path, int errnum) {
  return fail({.attempt = std::move(attempt), .subject = path.string(), .errnum = errnum});
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
  // Plans name pools, keyrings and monitors, which other users must not read.
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

}  // namespace radosload::record
