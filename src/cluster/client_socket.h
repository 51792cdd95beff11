// The admin sockets of radosload's own clients, where librados answers questions about itself
// without any caps on the cluster. They are in a folder of this process, which is removed at its
// end; the next process removes what a killed one has left.
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
  // In $XDG_RUNTIME_DIR, or in the folder for temporary files.
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
  // For one handle: two handles must not share a path.
  std::string socket(std::size_t client) const;

 private:
  SocketFolder(std::filesystem::path path, int lock) : m_path(std::move(path)), m_lock(lock) {}

  std::filesystem::path m_path;
  int m_lock;  // the folder's descriptor; its lock tells other processes that it is in use
};

// Queries the client behind the socket, for example {"prefix": "objecter_requests"}. Returns within
// the limit.
Result<std::string> ask_client(const std::string& socket, const std::string& command, Time limit);

}  // namespace radosload::cluster
