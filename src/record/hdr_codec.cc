#include "record/hdr_codec.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "record/packing.h"

#include <fmt/format.h>
#include <zlib.h>

namespace radosload::record {

namespace {

using Buffer = std::vector<unsigned char>;

// The format's magic numbers: V2 plain and V2 deflated, each with 0x10 for "counts as LEB128".
constexpr std::uint32_t plain_cookie = 0x1c849313;
constexpr std::uint32_t deflated_cookie = 0x1c849314;
constexpr std::uint32_t significant_digits = 3;
constexpr std::size_t plain_header = 40;
// A count takes at most nine bytes in this LEB128.
constexpr std::size_t plain_limit = plain_header + Histogram::bucket_count * 9;

template <typename Number>
void put(Buffer& out, Number number) {
  for (unsigned shift = sizeof(Number) * 8; shift > 0; shift -= 8) {
    out.push_back(static_cast<unsigned char>(number >> (shift - 8)));
  }
}

// Reads big-endian numbers off the front; false at the end.
template <typename Number>
bool get(std::span<const unsigned char>& in, Number& number) {
  if (in.size() < sizeof(Number)) return false;
  number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    number = static_cast<Number>(number << 8U) | in[i];
  }
  in = in.subspan(sizeof(Number));
  return true;
}

// ZigZag LEB128 as HdrHistogram has it: seven bits a byte, except that a ninth byte carries eight.
void put_count(Buffer& out, std::int64_t value) {
  const auto raw = static_cast<std::uint64_t>(value);
  std::uint64_t rest = (raw << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0);
  for (int i = 0; i < 8 && rest > 0x7f; ++i) {
    out.push_back(static_cast<unsigned char>(rest | 0x80U));
    rest >>= 7U;
  }
  out.push_back(static_cast<unsigned char>(rest));
}

bool get_count(std::span<const unsigned char>& in, std::int64_t& value) {
  std::uint64_t raw = 0;
  for (unsigned i = 0; i < 9; ++i) {
    if (in.empty()) return false;
    const unsigned char byte = in.front();
    in = in.subspan(1);
    raw |= std::uint64_t{i < 8 ? byte & 0x7fU : byte} << (7 * i);
    if (i < 8 && (byte & 0x80U) == 0) break;
  }
  value = static_cast<std::int64_t>((raw >> 1U) ^ (~(raw & 1U) + 1U));
  return true;
}

Buffer plain_form(const Histogram& histogram) {
  Buffer counts;
  std::size_t next = 0;  // the first bucket that has not been written
  histogram.for_each([&](std::size_t index, std::uint64_t count) {
    if (index > next) put_count(counts, -static_cast<std::int64_t>(index - next));
    put_count(counts, static_cast<std::int64_t>(count));
    next = index + 1;
  });
  Buffer out;
  put<std::uint32_t>(out, plain_cookie);
  put<std::uint32_t>(out, static_cast<std::uint32_t>(counts.size()));
  put<std::uint32_t>(out, 0);  // normalizing offset: we never shift
  put<std::uint32_t>(out, significant_digits);
  put<std::uint64_t>(out, 1);  // lowest value to tell apart
  put<std::uint64_t>(out, Histogram::highest);
  put<std::uint64_t>(out, std::bit_cast<std::uint64_t>(1.0));  // counts are what they are
  out.insert(out.end(), counts.begin(), counts.end());
  return out;
}

Buffer deflated(const Buffer& plain) {
  uLongf size = compressBound(plain.size());
  Buffer packed(size);
  // Level 1: a journal encodes hundreds of these a second, and higher levels save next to nothing.
  compress2(packed.data(), &size, plain.data(), plain.size(), 1);
  packed.resize(size);
  return packed;
}

std::optional<Buffer> inflated(std::span<const unsigned char> packed) {
  // Sparse histograms compress to little; the maximum would be a third of a megabyte for each.
  std::size_t guess = std::min(plain_limit, 1024 + packed.size() * 8);
  while (true) {
    Buffer plain(guess);
    uLongf size = plain.size();
    const int result = uncompress(plain.data(), &size, packed.data(), packed.size());
    if (result == Z_OK) {
      plain.resize(size);
      return plain;
    }
    if (result != Z_BUF_ERROR || guess == plain_limit) return std::nullopt;
    guess = std::min(plain_limit, guess * 8);
  }
}

tl::unexpected<Error> unreadable(std::string_view text, std::string reason) {
  return fail({.attempt = "read the histogram",
               .subject = fmt::format("'{:.20}...'", text),
               .reason = std::move(reason)});
}

// Empty when the payload does not have radosload's layout.
std::optional<Histogram> parse_counts(std::span<const unsigned char> counts) {
  Histogram histogram;
  std::size_t index = 0;
  while (!counts.empty()) {
    std::int64_t value = 0;
    if (!get_count(counts, value)) return std::nullopt;
    const std::size_t room = Histogram::bucket_count - index;
    if (value <= 0) {
      // A run of empty buckets; a zero is a run of one.
      const std::uint64_t run = value == 0 ? 1 : ~static_cast<std::uint64_t>(value) + 1;
      if (run > room) return std::nullopt;
      index += run;
    } else {
      if (room == 0) return std::nullopt;
      histogram.add_bucket(index++, static_cast<std::uint64_t>(value));
    }
  }
  return histogram;
}

std::optional<Histogram> parse_plain(std::span<const unsigned char> in) {
  std::uint32_t cookie = 0;
  std::uint32_t length = 0;
  std::uint32_t offset = 0;
  std::uint32_t digits = 0;
  std::uint64_t lowest = 0;
  std::uint64_t highest = 0;
  std::uint64_t ratio = 0;
  const bool whole = get(in, cookie) && get(in, length) && get(in, offset) && get(in, digits) &&
                     get(in, lowest) && get(in, highest) && get(in, ratio);
  if (!whole || cookie != plain_cookie || length != in.size() || offset != 0 ||
      digits != significant_digits || lowest != 1) {
    return std::nullopt;
  }
  return parse_counts(in);
}

}  // namespace

std::string encode_hdr(const Histogram& histogram) {
  const Buffer packed = deflated(plain_form(histogram));
  Buffer out;
  put<std::uint32_t>(out, deflated_cookie);
  put<std::uint32_t>(out, static_cast<std::uint32_t>(packed.size()));
  out.insert(out.end(), packed.begin(), packed.end());
  return to_base64(out);
}

Result<Histogram> decode_hdr(std::string_view text) {
  const auto bytes = from_base64(text);
  if (!bytes) return unreadable(text, "it is not base64");
  std::span<const unsigned char> in = *bytes;
  std::uint32_t cookie = 0;
  std::uint32_t length = 0;
  if (!get(in, cookie) || !get(in, length) || cookie != deflated_cookie || length != in.size()) {
    return unreadable(text, "it is not a deflated HdrHistogram V2");
  }
  const auto plain = inflated(in);
  if (!plain) return unreadable(text, "its compressed part is damaged");
  auto histogram = parse_plain(*plain);
  if (!histogram) {
    return unreadable(
        text, "its layout is not radosload's: unit 1 ns, 3 significant digits, up to 2^45 ns");
  }
  return std::move(*histogram);
}

}  // namespace radosload::record
