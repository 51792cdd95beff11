// The three blocks of kbench (IOPS, bandwidth in KiB/s, mean latency in ns), each with reads and
// writes, random and sequential. Internal: used for kbench's text and its comparison.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "record/series.h"

namespace radosload::report {

struct KbenchLine {
  std::string_view test;  // "IOPS", "bandwidth", "latency"
  std::string_view access;
  std::optional<double> read;  // empty: its step is not done
  std::optional<double> write;
};

inline constexpr std::string_view kbench_name = "kbench";

// Six lines, in the order of its table.
std::array<KbenchLine, 6> kbench_lines(const record::Series& series);
// "IOPS (Read/Write)"
std::string_view kbench_head(std::string_view test);
// "        Random:         98368 / 89200", without a newline.
std::string kbench_line_text(const KbenchLine& line);

}  // namespace radosload::report
