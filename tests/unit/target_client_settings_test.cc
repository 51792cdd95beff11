// How much of the machine the client takes.

#include <string>

#include <gtest/gtest.h>

#include "target/client_settings.h"

namespace radosload::target {
namespace {

std::string value_of(const char* key, Bytes block, unsigned processors) {
  for (const auto& preference : thrifty_settings({.block = block}, processors)) {
    if (preference.key == key) return preference.value;
  }
  return "not there";
}

std::string socket_threads_on(unsigned processors) {
  return value_of("ms_async_op_threads", kib(4), processors);
}

TEST(ThriftySettings, SocketsTakeHalfOfAFewProcessors) {
  EXPECT_EQ(socket_threads_on(1), "1");
  EXPECT_EQ(socket_threads_on(2), "1");
  EXPECT_EQ(socket_threads_on(3), "1");
  EXPECT_EQ(socket_threads_on(4), "2");
}

TEST(ThriftySettings, SocketsTakeNoMoreThreadsThanLibradosWould) {
  EXPECT_EQ(socket_threads_on(6), "3");
  EXPECT_EQ(socket_threads_on(128), "3");
}

TEST(ThriftySettings, Answers_UpTo16KiBAreReadAtOnce) {
  const auto read_ahead = [](Bytes block) {
    return value_of("ms_tcp_prefetch_max_size", block, 1);
  };
  EXPECT_EQ(read_ahead(kib(4)), "8192");
  EXPECT_EQ(read_ahead(kib(12)), "16384");
  EXPECT_EQ(read_ahead(kib(16)), "4096");
  EXPECT_EQ(read_ahead(mib(4)), "4096");
}

}  // namespace
}  // namespace radosload::target
