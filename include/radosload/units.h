// Quantities whose type is their unit, and their notation. Sizes are binary (4k = 4096); durations
// are seconds unless they carry a unit.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "radosload/result.h"

namespace radosload {

// Time since the start of a Loop, and any duration. Signed: differences may be negative.
using Time = std::chrono::nanoseconds;

struct Bytes {
  std::uint64_t count = 0;
  // clang-tidy 14 sees a null pointer in what this is compiled to.
  auto operator<=>(const Bytes&) const = default;  // NOLINT(modernize-use-nullptr)
};

constexpr Bytes kib(std::uint64_t n) {
  return Bytes{n << 10U};
}
constexpr Bytes mib(std::uint64_t n) {
  return Bytes{n << 20U};
}
constexpr Bytes gib(std::uint64_t n) {
  return Bytes{n << 30U};
}

// "4k", "1M", "2g", "1.5T", "4KiB", "2300", "2300B". The reverse of option_text(Bytes).
Result<Bytes> parse_bytes(std::string_view text);
// "30s", "5m", "1h30m", "250ms", "10us", "1.5s", "10sec"; a bare number is seconds.
Result<Time> parse_duration(std::string_view text);
// A whole number without sign; "k" and "M" are not understood here.
Result<std::uint64_t> parse_count(std::string_view text);
// "yes", "true" and "on", or "no", "false" and "off"; nothing for any other text.
std::optional<bool> parse_switch(std::string_view text);

// As an option takes it, exactly: "4k", "2300"; "90s", "1h".
std::string option_text(Bytes bytes);
std::string option_text(Time time);

// For eyes, three significant digits: "4 KiB", "1.46 GiB"; "812 us", "1.24 s", "3 m 20 s".
std::string human_text(Bytes bytes);
std::string human_text(Time time);

constexpr double seconds(Time time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace radosload
