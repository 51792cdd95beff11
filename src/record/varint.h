// Numbers in as few bytes as they need: seven bits a byte, the lowest first; the eighth bit says
// that more follow. Internal to the room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace radosload::record {

inline void put_varint(std::string& bytes, std::uint64_t value) {
  constexpr std::uint64_t more = 0x80;
  for (; value >= more; value >>= 7U) bytes.push_back(static_cast<char>(value | more));
  bytes.push_back(static_cast<char>(value));
}

// Small for small negative numbers, too.
inline void put_signed(std::string& bytes, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  put_varint(bytes, (bits << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

// Differences may wrap around: of a damaged record any number is possible.
inline void put_difference(std::string& bytes, std::uint64_t value, std::uint64_t from) {
  put_signed(bytes, static_cast<std::int64_t>(value - from));
}

// Reads any bytes: behind their end, and where a number is too long, it reads 0 and has failed.
class VarintReader {
 public:
  explicit VarintReader(std::string_view bytes) : m_rest(bytes) {}

  std::string_view rest() const { return m_rest; }
  bool failed() const { return m_failed; }
  bool at_end() const { return m_rest.empty(); }

  std::uint64_t number() {
    constexpr unsigned most_bits = 64;
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < most_bits && !m_rest.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(m_rest.front());
      m_rest.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80U) return value;
    }
    m_failed = true;
    m_rest = {};
    return 0;
  }
  std::int64_t signed_number() {
    const std::uint64_t bits = number();
    return static_cast<std::int64_t>((bits >> 1U) ^ ((bits & 1U) != 0 ? ~std::uint64_t{0} : 0));
  }
  std::uint64_t difference(std::uint64_t from) {
    return static_cast<std::uint64_t>(signed_number()) + from;
  }

 private:
  std::string_view m_rest;
  bool m_failed = false;
};

}  // namespace radosload::record
