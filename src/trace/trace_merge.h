// The rows of several traces as one stream, by the time of their answers: those of the members of a
// session, whose clocks begin with the measured phase. Each file is in nearly that order already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "radosload/result.h"

#include "trace/trace_file.h"
#include "trace/trace_row.h"

namespace radosload::trace {

class TraceMerge {
 public:
  explicit TraceMerge(const std::vector<TraceFile>& files);

  struct Row {
    std::size_t file = 0;  // its place among the files
    TraceRow row{};
  };
  // The next row; empty after the last one.
  Result<std::optional<Row>> next();

 private:
  // The rows of one file that were read and not given out yet.
  struct Source {
    const TraceFile* file = nullptr;
    std::uint64_t read = 0;
    std::vector<TraceRow> rows = {};
    std::size_t given = 0;
  };
  static Result<bool> fill(Source& source);

  std::vector<Source> m_sources;
};

}  // namespace radosload::trace
