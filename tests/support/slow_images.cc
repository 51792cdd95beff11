// Preloaded into a program, it makes the creation of images take longer than the program runs.
#include <chrono>
#include <thread>

#include <rbd/librbd.hpp>

int librbd::RBD::create4(librados::IoCtx&, const char*, std::uint64_t, librbd::ImageOptions&) {
  // Time: longer than any test waits.
  std::this_thread::sleep_for(std::chrono::hours(1));
  return 0;
}
