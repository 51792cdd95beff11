#include "cluster/client_socket.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace radosload::cluster {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view prefix = "radosload-sockets-";

// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : m_fd(fd) {}
  ~Descriptor() {
    if (m_fd >= 0) ::close(m_fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const { return m_fd; }
  int release() { return std::exchange(m_fd, -1); }

 private:
  int m_fd;
};

int open_folder(const fs::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Removes only what librados creates; a folder with anything else in it stays.
void remove_folder(const fs::path& path, int folder) {
  std::error_code ignored;
  for (fs::directory_iterator entry(path, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    struct stat status {};
    const std::string name = entry->path().filename().string();
    if (::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISSOCK(status.st_mode)) {
      ::unlinkat(folder, name.c_str(), 0);
    }
  }
  ::rmdir(path.c_str());
}

// If the lock of such a folder is free, its process was killed.
void remove_leftovers(const fs::path& parent) {
  std::error_code ignored;
  for (fs::directory_iterator entry(parent, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    if (!entry->path().filename().string().starts_with(prefix)) continue;
    const Descriptor folder(open_folder(entry->path()));
    struct stat status {};
    if (folder.get() < 0 || ::fstat(folder.get(), &status) != 0) continue;
    if (status.st_uid != ::geteuid() || ::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) continue;
    remove_folder(entry->path(), folder.get());
  }
}

// Returns the locked folder's descriptor, or -1 with errno. Another radosload may remove the new
// folder as a leftover before it is locked: then the path is gone or is another folder.
int make_locked(fs::path& path) {
  constexpr int tries = 3;
  for (int i = 0; i < tries; ++i) {
    std::string name = path.string();
    if (::mkdtemp(name.data()) == nullptr) return -1;
    Descriptor folder(open_folder(name));
    struct stat held {};
    struct stat there {};
    const bool ours = folder.get() >= 0 && ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0 &&
                      ::fstat(folder.get(), &held) == 0 && ::stat(name.c_str(), &there) == 0 &&
                      held.st_ino == there.st_ino;
    if (!ours) continue;
    path = name;
    return folder.release();
  }
  errno = EAGAIN;
  return -1;
}

// Room for the name of a socket in it.
bool short_enough(const fs::path& folder) {
  constexpr std::size_t longest_name = 16;
  return folder.string().size() + longest_name < sizeof(sockaddr_un::sun_path);
}

tl::unexpected<Error> query_error(const std::string& socket, std::string reason, int errnum = 0) {
  return fail({.attempt = "query the admin socket of radosload's own client",
               .subject = socket,
               .reason = std::move(reason),
               .errnum = errnum});
}

using Clock = std::chrono::steady_clock;

bool ready(int fd, short what, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd wait{.fd = fd, .events = what, .revents = 0};
  return left > 0 && ::poll(&wait, 1, static_cast<int>(left)) > 0;
}

bool send_all(int fd, std::string_view bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    if (!ready(fd, POLLOUT, deadline)) return false;
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive_all(int fd, char* into, std::size_t size, Clock::time_point deadline) {
  for (std::size_t got = 0; got < size;) {
    if (!ready(fd, POLLIN, deadline)) return false;
    const ssize_t more = ::recv(fd, into + got, size - got, 0);
    if (more == 0 || (more < 0 && errno != EINTR && errno != EAGAIN)) return false;
    if (more > 0) got += static_cast<std::size_t>(more);
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<SocketFolder>> SocketFolder::make() {
  std::vector<fs::path> parents;
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime == '/') parents.emplace_back(runtime);
  std::error_code missing;  // if TMPDIR is invalid, the current folder must not be used instead
  const fs::path temporary = fs::temp_directory_path(missing);
  if (!missing) parents.push_back(temporary);
  parents.emplace_back("/tmp");
  return make_in(parents);
}

Result<std::unique_ptr<SocketFolder>> SocketFolder::make_in(const std::vector<fs::path>& parents) {
  int last = ENOENT;
  for (const fs::path& parent : parents) {
    fs::path path = parent / fmt::format("{}XXXXXX", prefix);
    if (!short_enough(path)) {
      last = ENAMETOOLONG;
      continue;
    }
    remove_leftovers(parent);
    const int lock = make_locked(path);
    if (lock >= 0) return std::unique_ptr<SocketFolder>(new SocketFolder(std::move(path), lock));
    last = errno;
  }
  return fail({.attempt = "create a folder for the clients' admin sockets",
               .subject = parents.empty() ? "" : "in " + parents.back().string(),
               .hint = "set XDG_RUNTIME_DIR or TMPDIR to another folder",
               .errnum = last});
}

SocketFolder::~SocketFolder() {
  remove_folder(m_path, m_lock);
  ::close(m_lock);
}

std::string SocketFolder::socket(std::size_t client) const {
  return (m_path / fmt::format("{}.asok", client)).string();
}

Result<std::string> ask_client(const std::string& socket, const std::string& command, Time limit) {
  const auto deadline = Clock::now() + limit;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.size() >= sizeof(address.sun_path)) return query_error(socket, {}, ENAMETOOLONG);
  std::copy(socket.begin(), socket.end(), std::begin(address.sun_path));
  const Descriptor fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const auto* const where = reinterpret_cast<const sockaddr*>(&address);
  if (fd.get() < 0 || ::connect(fd.get(), where, sizeof(address)) != 0) {
    return query_error(socket, {}, errno);
  }
  // A command ends with a zero byte; the answer begins with its length, the highest byte first.
  std::array<char, 4> head{};
  constexpr std::size_t most = std::size_t{64} << 20U;
  if (!send_all(fd.get(), std::string_view(command.c_str(), command.size() + 1), deadline) ||
      !receive_all(fd.get(), head.data(), head.size(), deadline)) {
    return query_error(socket, fmt::format("no answer within {}", human_text(limit)));
  }
  std::size_t size = 0;
  for (const char byte : head) size = size << 8U | static_cast<unsigned char>(byte);
  if (size > most) return query_error(socket, "the announced answer is longer than 64 MiB");
  std::string answer(size, '\0');
  if (!receive_all(fd.get(), answer.data(), size, deadline)) {
    return query_error(
        socket, fmt::format("only a part of the answer arrived within {}", human_text(limit)));
  }
  return answer;
}

}  // namespace radosload::cluster
