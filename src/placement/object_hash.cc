#include "placement/object_hash.h"

#include <bit>
#include <cstddef>

namespace radosload::placement {

namespace {

struct Mixed {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t c;

  void mix() noexcept {
    struct Step {
      unsigned first;
      unsigned second;
      unsigned third;
    };
    for (const Step step : {Step{13, 8, 13}, Step{12, 16, 5}, Step{3, 10, 15}}) {
      a = (a - b - c) ^ (c >> step.first);
      b = (b - c - a) ^ (a << step.second);
      c = (c - a - b) ^ (b >> step.third);
    }
  }
};

// Up to four bytes, the first of them lowest.
std::uint32_t word(std::string_view bytes) noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes.size() && i < sizeof value; ++i) {
    value |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return value;
}

constexpr std::size_t block = 12;
// Stands between namespace and name in what is hashed.
constexpr char namespace_separator = '\037';

}  // namespace

std::uint32_t rjenkins(std::string_view bytes) noexcept {
  constexpr std::uint32_t golden = 0x9e3779b9U;
  const auto length = static_cast<std::uint32_t>(bytes.size());
  Mixed mixed{golden, golden, 0};
  for (; bytes.size() >= block; bytes.remove_prefix(block)) {
    mixed.a += word(bytes);
    mixed.b += word(bytes.substr(4));
    mixed.c += word(bytes.substr(8));
    mixed.mix();
  }
  // The lowest byte of the last c is the length's.
  mixed.a += word(bytes);
  if (bytes.size() > 4) mixed.b += word(bytes.substr(4));
  if (bytes.size() > 8) mixed.c += word(bytes.substr(8)) << 8U;
  mixed.c += length;
  mixed.mix();
  return mixed.c;
}

std::uint32_t stable_mod(std::uint32_t hash, std::uint32_t pg_num) noexcept {
  const std::uint32_t mask = std::bit_ceil(pg_num) - 1;
  const std::uint32_t low = hash & mask;
  return low < pg_num ? low : hash & (mask >> 1U);
}

ObjectHash::ObjectHash(std::string_view nspace, std::uint32_t pg_num)
    : m_text(nspace), m_pg_num(pg_num) {
  if (!nspace.empty()) m_text += namespace_separator;
  m_prefix = m_text.size();
}

std::uint32_t ObjectHash::operator()(std::string_view name) {
  m_text.resize(m_prefix);
  m_text += name;
  return stable_mod(rjenkins(m_text), m_pg_num);
}

}  // namespace radosload::placement
