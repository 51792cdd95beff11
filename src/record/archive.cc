#include "record/archive.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

namespace radosload::record {

namespace {

constexpr std::size_t block = 512;
constexpr std::size_t most_name = 100;

tl::unexpected<Error> cannot_pack(const std::string& path, std::string reason) {
  return fail({.attempt = "pack", .subject = path, .reason = std::move(reason)});
}

void put_field(std::array<char, block>& header, std::size_t at, std::string_view text) {
  std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
}

// POSIX ustar: fields at fixed places, numbers in octal.
std::string header_of(const ArchiveMember& member, long long seconds) {
  std::array<char, block> header{};
  put_field(header, 0, member.path);
  put_field(header, 100, "0000600");
  put_field(header, 108, "0000000");
  put_field(header, 116, "0000000");
  put_field(header, 124, fmt::format("{:011o}", member.contents.size()));
  put_field(header, 136, fmt::format("{:011o}", seconds));
  put_field(header, 148, "        ");  // the checksum counts itself as spaces
  put_field(header, 156, "0");         // a regular file
  put_field(header, 257,
            std::string_view("ustar\0"
                             "00",
                             8));
  unsigned sum = 0;
  for (const char byte : header) sum += static_cast<unsigned char>(byte);
  put_field(header, 148, fmt::format("{:06o}", sum));
  header[154] = '\0';
  return {header.begin(), header.end()};
}

Result<std::string> gzip(const std::string& bytes) {
  constexpr int window_with_gzip_header = 15 + 16;
  constexpr int memory_level = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_with_gzip_header,
                   memory_level, Z_DEFAULT_STRATEGY) != Z_OK) {
    return fail({.attempt = "compress the archive", .reason = "zlib did not start"});
  }
  // zlib counts input in 32 bits: it is fed in parts.
  constexpr std::size_t part = std::size_t{64} << 20U;
  std::array<unsigned char, 65536> buffer{};
  std::string packed;
  std::size_t fed = 0;
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    const std::size_t length = std::min(part, bytes.size() - fed);
    // zlib does not change its input, though it takes a pointer that would let it.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + fed));
    stream.avail_in = static_cast<uInt>(length);
    fed += length;
    do {
      stream.next_out = buffer.data();
      stream.avail_out = static_cast<uInt>(buffer.size());
      state = deflate(&stream, fed == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
      packed.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return packed;
}

}  // namespace

Result<std::string> tar_gz(const std::vector<ArchiveMember>& members,
                           std::chrono::system_clock::time_point time) {
  constexpr std::size_t most_bytes = (std::size_t{1} << 33U) - 1;  // eleven octal digits
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
  std::string archive;
  for (const ArchiveMember& member : members) {
    if (member.path.size() > most_name) return cannot_pack(member.path, "the name is too long");
    if (member.contents.size() > most_bytes) return cannot_pack(member.path, "more than 8 GiB");
    archive += header_of(member, seconds);
    archive += member.contents;
    archive.resize((archive.size() + block - 1) / block * block, '\0');
  }
  archive.resize(archive.size() + 2 * block, '\0');
  return gzip(archive);
}

}  // namespace radosload::record
