// Preloaded into a program, it forbids io_uring, as a container's filter of system calls does.
#include <cerrno>

struct io_uring;

extern "C" int io_uring_queue_init(unsigned, io_uring*, unsigned) {
  return -EPERM;
}
