// The header of a trace: that of a NumPy structured array, with a fixed length, so that the number
// of rows can be updated in place while rows are added. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::trace {

// The length that radosload writes. NumPy writes shorter headers when it saves a selection.
inline constexpr std::size_t trace_header_bytes = 512;
// The bytes that a reader needs to decide that a file is not a trace.
inline constexpr std::size_t longest_trace_header = 4096;

struct TraceHeader {
  std::uint64_t rows = 0;
  std::size_t data_begin = 0;  // where in the file
  // Whether the writer closed the trace with every row. Otherwise the run was killed, ended early
  // or is running. Stored as a tab in place of the last space of the padding, which NumPy ignores.
  bool ended = false;
  // The length of the measured phase; absent when the run was killed. NumPy reads it as a comment.
  std::optional<Time> measured = {};
};

std::string encode_trace_header(std::uint64_t rows, bool ended,
                                std::optional<Time> measured = std::nullopt);
// Takes the beginning of a file; anything but a trace is an Error.
Result<TraceHeader> parse_trace_header(std::string_view file, const std::string& subject);

}  // namespace radosload::trace
