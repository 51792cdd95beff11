// The head of a trace: that of a NumPy array of structures, always of the same length, so that the
// number of rows can be written anew in place while rows are added. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::trace {

// Of ours. NumPy makes shorter ones when it saves what it has selected from a trace.
inline constexpr std::size_t trace_header_bytes = 512;
// What a reader may have to look at to find out that a file is none of ours.
inline constexpr std::size_t longest_trace_header = 4096;

struct TraceHeader {
  std::uint64_t rows = 0;
  std::size_t data_begin = 0;  // where in the file
  // By its writer, with nothing left out. Otherwise it was killed, ended early or goes on. NumPy
  // sees none of that: it is a tab in the place of the last space of the padding.
  bool ended = false;
  // How long the measured phase was; a killed run could not say. NumPy takes it for a comment.
  std::optional<Time> measured = {};
};

std::string encode_trace_header(std::uint64_t rows, bool ended,
                                std::optional<Time> measured = std::nullopt);
// From the beginning of a file. Other arrays, and what is no array, are an Error.
Result<TraceHeader> parse_trace_header(std::string_view file, const std::string& subject);

}  // namespace radosload::trace
