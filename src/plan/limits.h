// The limits of one run, which its options are checked against, and which the arithmetic of the
// load relies on.
#pragma once

#include <cstdint>

namespace radosload::plan {

// The least and the most that --rate takes. A rate is kept in millionths of an operation a second.
inline constexpr double lowest_rate = 0.001;
inline constexpr double highest_rate = 1e9;
// Of one run: clients times pinned OSDs. With more, the arithmetic of a Schedule overflows 64 bits.
inline constexpr std::uint32_t max_lanes = 18000;
// Operations of a run in flight: their slots are allocated beforehand.
inline constexpr std::uint64_t most_in_flight = 1'000'000;
// Files in one directory of a run on a file system, and directories of a run. A MDS splits larger
// directories, and refuses more than 100,000 files in a part of one by default.
inline constexpr std::uint64_t most_entries = 1'000'000;
inline constexpr std::uint64_t most_directories = 10'000;
// The most that --slowest takes: each lane keeps so many.
inline constexpr std::uint64_t most_slowest = 1000;

}  // namespace radosload::plan
