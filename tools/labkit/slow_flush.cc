// Preloaded into an OSD of a lab whose drive has a delay for flushes: each fdatasync and fsync
// waits first, as a drive without power-loss protection makes its writer wait. How long stands in a
// file that flush.py keeps. It is read at each flush, so that the delay of a running OSD can be
// changed.
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

namespace {

using Flush = int (*)(int);

Flush flush_of_libc(const char* name) {
  return reinterpret_cast<Flush>(::dlsym(RTLD_NEXT, name));
}

int open_delay_file() {
  const char* const path = std::getenv("RADOSLOAD_LAB_FLUSH_FILE");
  return path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
}

// A file that is missing or empty means no delay.
long delay_us() {
  static const int file = open_delay_file();
  char text[24];
  const ssize_t length = ::pread(file, text, sizeof text - 1, 0);
  if (length <= 0) return 0;
  text[length] = '\0';
  return std::strtol(text, nullptr, 10);
}

void wait_for_drive() {
  constexpr long us_per_second = 1'000'000;
  const long us = delay_us();
  if (us <= 0) return;
  timespec left{.tv_sec = us / us_per_second, .tv_nsec = (us % us_per_second) * 1'000};
  while (::nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): names of libc are reserved
extern "C" int fdatasync(int file) {
  static const Flush next = flush_of_libc("fdatasync");
  wait_for_drive();
  return next(file);
}

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
extern "C" int fsync(int file) {
  static const Flush next = flush_of_libc("fsync");
  wait_for_drive();
  return next(file);
}
