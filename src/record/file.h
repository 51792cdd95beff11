// Internal to this room: files through system calls, because iostreams have no locks, no sync and
// no atomic creation. Documents are saved by saving.h.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "radosload/result.h"

namespace radosload::record {

class File {
 public:
  File() = default;
  explicit File(int fd) : m_fd(fd) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File(File&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
  File& operator=(File&& other) noexcept;
  ~File();

  int fd() const { return m_fd; }
  bool is_open() const { return m_fd >= 0; }
  // Writes all of it, in several calls if necessary. 0 or an errno.
  int write_all(std::string_view bytes) const;

 private:
  int m_fd = -1;
};

// open(2), never inherited by children. On failure the file is not open and errno is set.
File open_file(const std::filesystem::path& path, int flags);
Result<std::string> read_file(const std::filesystem::path& path);

}  // namespace radosload::record
