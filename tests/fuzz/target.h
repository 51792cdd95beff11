// One fuzz target: what it does with one input. libFuzzer calls it when it looks for new inputs
// (tools/dev fuzz); replay.cc calls it with the kept ones in every test run. What must not happen
// is a crash, a sanitizer's complaint, or a broken promise, which require() turns into one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace radosload::fuzz {

inline void require(bool kept) {
  if (!kept) std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace radosload::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
