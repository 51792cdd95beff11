#include "cluster/passphrase.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <sys/prctl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace radosload::cluster {

namespace {

Error unreadable(const std::string& path, std::string reason, int errnum) {
  return {.attempt = "read the passphrase",
          .subject = path,
          .reason = std::move(reason),
          .hint = "give the file that holds it with --luks-passphrase FILE",
          .errnum = errnum,
          .exit = Exit::usage};
}

// Reads to the end of the file, or until the buffer is full; returns an errno.
int read_into(int file, SecretBytes& into) {
  while (into.size < into.bytes.size()) {
    const auto room = std::span(into.bytes).subspan(into.size);
    const ssize_t got = ::read(file, room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    into.size += static_cast<std::size_t>(got);
  }
  return 0;
}

}  // namespace

SecretBytes::~SecretBytes() {
  explicit_bzero(bytes.data(), bytes.size());
}

Result<Passphrase> Passphrase::read(const std::string& path) {
  // Before anything secret is in memory; this also protects librbd's copies.
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
    return fail(unreadable(path, "core dumps of this process could not be disabled", errno));
  }
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(unreadable(path, "", errno));
  const auto bytes = std::make_shared<SecretBytes>();
  const int failed = read_into(file, *bytes);
  ::close(file);
  if (failed != 0) return fail(unreadable(path, "", failed));
  if (bytes->size == 0) return fail(unreadable(path, "the file is empty", 0));
  if (bytes->size > SecretBytes::most) {
    return fail(unreadable(
        path, fmt::format("the file is longer than {} bytes, the limit", SecretBytes::most), 0));
  }
  return Passphrase(bytes);
}

std::string_view Passphrase::text() const {
  if (!m_bytes) return {};
  return {m_bytes->bytes.data(), m_bytes->size};
}

}  // namespace radosload::cluster
