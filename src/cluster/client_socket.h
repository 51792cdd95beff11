// The admin sockets of our own clients: where librados answers questions about itself, without any
// rights on the cluster. They lie in a folder of this process alone, which goes with it; what a
// killed process has left is removed by the next one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::cluster {

class SocketFolder {
 public:
  // In $XDG_RUNTIME_DIR, else where temporary files go.
  static Result<std::unique_ptr<SocketFolder>> make();
  // In the first of these that will do.
  static Result<std::unique_ptr<SocketFolder>> make_in(
      const std::vector<std::filesystem::path>& parents);

  // Removes the folder and every socket in it.
  ~SocketFolder();
  SocketFolder(const SocketFolder&) = delete;
  SocketFolder& operator=(const SocketFolder&) = delete;
  SocketFolder(SocketFolder&&) = delete;
  SocketFolder& operator=(SocketFolder&&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  // For one handle: two of them on one path would fight for it.
  std::string socket(std::size_t client) const;

 private:
  SocketFolder(std::filesystem::path path, int lock) : m_path(std::move(path)), m_lock(lock) {}

  std::filesystem::path m_path;
  int m_lock;  // the folder itself, held locked: nobody else takes it for a leftover
};

// Asks the client behind the socket: {"prefix": "objecter_requests"}. Comes back within the limit.
Result<std::string> ask_client(const std::string& socket, const std::string& command, Time limit);

}  // namespace radosload::cluster
