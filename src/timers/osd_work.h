// Commands that an OSD carries out and answers when it is done: compaction and its benchmark.
#pragma once

#include <chrono>
#include <string>

#include "radosload/result.h"

#include "timers/row.h"
#include "timers/world.h"

namespace radosload::timers {

// Reads are probed for this time before.
inline constexpr Time probed_before = std::chrono::seconds(3);
// `pool`: where reads are probed, if they are.
Row time_compaction(const World& world, std::int32_t osd, Time limit, const std::string& pool = {});

struct BenchWish {
  Bytes block = mib(4);
  Bytes bytes = {};  // 0: what OSDs allow, 1 GiB at most
  Time limit = std::chrono::minutes(10);
};
// OSDs refuse larger blocks (osd_bench_max_block_size).
inline constexpr Bytes largest_bench_block = mib(64);
// The most bytes that an OSD with default settings writes: with blocks below 1 MiB what 100 IOPS
// write in 30 s, with larger ones what 100 MiB/s do.
Bytes bench_cap(Bytes block);
Row time_bench(const World& world, std::int32_t osd, const BenchWish& wish);

}  // namespace radosload::timers
