// The pieces of the members' records, each in an object of its own.
#include <algorithm>
#include <cerrno>

#include "footprint/session_objects.h"
#include "record/packing.h"
#include "session/board.h"

namespace radosload::session {

namespace {

// Bytes of a piece as it is stored, and of its lines.
constexpr std::uint64_t most_part = std::uint64_t{64} << 20U;
constexpr std::size_t most_lines = std::size_t{512} << 20U;

}  // namespace

Status Board::put_part(std::uint64_t chunk, const std::string& lines) {
  const std::string object = footprint::session_part(m_session, m_self, chunk);
  librados::bufferlist bytes;
  bytes.append(record::packed(lines));
  const auto put = [&](int flags) {
    librados::ObjectWriteOperation writing;
    writing.write_full(bytes);
    return m_io.operate(object, writing, nullptr, flags);
  };
  int rc = put(0);
  // A pool at its quota has room for these kilobytes, which go away with the session; a pool whose
  // OSDs are full has not.
  if (rc == -EDQUOT) rc = put(librados::OPERATION_FULL_FORCE);
  if (rc < 0) return fail({.attempt = "write the record to", .subject = object, .errnum = -rc});
  return {};
}

Result<std::vector<record::PackedLine>> Board::parts_of(const Entry& member) {
  std::vector<record::PackedLine> lines;
  for (std::uint64_t chunk = 0; chunk < member.chunks; ++chunk) {
    const std::string object = footprint::session_part(m_session, member.id, chunk);
    cluster::BoundedIo::Content content;
    const int rc = m_io.read(object, most_part, content);
    if (rc == -ENOENT) break;  // announced and never written
    if (rc < 0) return fail({.attempt = "read", .subject = object, .errnum = -rc});
    const auto text = record::unpacked(content.bytes, most_lines);
    if (!text) break;
    for (std::size_t at = 0; at < text->size();) {
      const std::size_t end = std::min(text->find('\n', at), text->size());
      auto line = record::decode_packed_line(std::string_view(*text).substr(at, end - at), object);
      if (!line) return fail(line.error());
      lines.push_back(*std::move(line));
      at = end + 1;
    }
  }
  return lines;
}

}  // namespace radosload::session
