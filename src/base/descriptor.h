// A file descriptor that closes itself.
#pragma once

#include <unistd.h>
#include <utility>

namespace radosload::base {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) noexcept : m_fd(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      m_fd = std::exchange(other.m_fd, -1);
    }
    return *this;
  }

  int get() const noexcept { return m_fd; }
  bool valid() const noexcept { return m_fd >= 0; }

 private:
  void close() noexcept {
    if (const int fd = std::exchange(m_fd, -1); fd >= 0) ::close(fd);
  }

  int m_fd;
};

}  // namespace radosload::base
