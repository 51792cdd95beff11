// Reads a trace from disk in pieces: the file may be larger than memory, truncated anywhere, or
// still growing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "radosload/result.h"

#include "trace/trace_header.h"
#include "trace/trace_row.h"

namespace radosload::record {
class File;
}

namespace radosload::trace {

class TraceFile {
 public:
  static Result<TraceFile> open(const std::filesystem::path& path);

  const std::string& name() const { return m_name; }
  // The number of readable rows: more than the header says after a kill, fewer in a truncated file.
  std::uint64_t rows() const { return m_rows; }
  // TraceHeader::ended, and all rows of the header exist.
  bool ended() const { return m_header.ended && m_rows == m_header.rows; }
  std::optional<Time> measured() const { return m_header.measured; }
  // The rows from `first` on, as many as fit or are left: none at the end. Several threads may read
  // at the same time.
  Result<std::size_t> read(std::uint64_t first, std::span<TraceRow> into) const;
  // Calls take(number of the first, rows) for every piece of the rows from `begin` to `end`, until
  // it returns false.
  using Take = std::function<bool(std::uint64_t, std::span<const TraceRow>)>;
  Status each_piece(std::uint64_t begin, std::uint64_t end, const Take& take) const;

 private:
  TraceFile(std::shared_ptr<const record::File> file, std::string name);
  Status read_header();
  Status count_rows(std::uint64_t bytes);

  std::shared_ptr<const record::File> m_file;
  std::string m_name;
  TraceHeader m_header;
  std::uint64_t m_rows = 0;
};

}  // namespace radosload::trace
