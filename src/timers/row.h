// What `radosload time` measures: one row for each OSD and round, with what was measured until it
// ended, also when it failed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "timers/probe.h"

namespace radosload::timers {

enum class Timer : std::uint8_t { scrub, peering, compact, bench, backfill };

constexpr std::string_view timer_name(Timer timer) {
  constexpr std::string_view names[] = {"scrub", "peering", "compact", "bench", "backfill"};
  return names[static_cast<std::size_t>(timer)];
}

// All from the order on.
struct ScrubTimes {
  std::uint64_t pgs = 0;  // whose primary the OSD is
  std::uint64_t done = 0;
  std::uint64_t unseen = 0;               // done, too short to be seen at work
  std::optional<Time> first = {};         // until the first PG began
  std::optional<Time> finished = {};      // until the last PG was done
  Time work{0};                           // while a PG was scrubbed
  Time error{0};                          // of `work`, at most
  std::vector<std::string> waiting = {};  // why PGs were not done: "3 PGs: ..."

  std::optional<Time> queued() const {
    if (!finished) return std::nullopt;
    return *finished > work ? *finished - work : Time{0};
  }
};

// All from the order to stop on.
struct PeeringTimes {
  std::optional<Time> down = {};  // nothing: it was up again before that could be seen
  std::optional<Time> up = {};
  std::optional<Time> active = {};  // every PG of the OSD
  std::optional<Time> clean = {};
  bool by_stamps = true;  // `active` and `clean` are from Ceph's own stamps
  std::uint64_t pgs = 0;
  bool noout_was_there = false;
};

// What reads of our own took, before the compaction and meanwhile.
struct CompactProbe {
  std::string pool = {};
  ProbeTimes before = {};
  ProbeTimes during = {};
};

struct CompactTimes {
  std::optional<Bytes> before = {};
  std::optional<Bytes> after = {};
  std::optional<Time> in_osd = {};  // by the OSD's own clock
  std::optional<CompactProbe> probe = {};
};

struct BenchTimes {
  Bytes written = {};
  Bytes block = {};
  Time in_osd{0};
  double bytes_per_second = 0;
  double iops = 0;
};

// A range of rates or of durations; the upper end of a duration may be unknown.
struct Rates {
  double low = 0;
  double high = 0;
};
struct Spans {
  Time low{0};
  std::optional<Time> high = {};
};

struct BackfillTimes {
  std::uint64_t at_start = 0;  // copies of objects to move or to make
  std::uint64_t left = 0;
  Time watched{0};
  double shown_bytes = 0;           // a second, as `ceph status` shows it
  double sustained = 0;             // copies a second, over the whole time
  double sustained_bytes = 0;       // the same, with the mean size of objects
  std::optional<Rates> range = {};  // copies a second: of the slowest and the fastest quarter
  std::optional<Spans> eta = {};
  std::vector<std::int32_t> convert = {};  // OSDs that will be converted after this
  Bytes convert_bytes = {};                // what they hold
  std::optional<Spans> cost = {};          // of moving that
};

struct Row {
  std::optional<std::int32_t> osd = {};  // nothing: the whole cluster
  std::uint32_t round = 1;
  Time began{0};  // since 1970
  Time elapsed{0};
  std::string failure = {};  // empty: everything was measured
  std::optional<ScrubTimes> scrub = {};
  std::optional<PeeringTimes> peering = {};
  std::optional<CompactTimes> compact = {};
  std::optional<BenchTimes> bench = {};
  std::optional<BackfillTimes> backfill = {};
};

// Every OSD once in each round, each round in an order of its own that the seed determines.
struct Turn {
  std::int32_t osd = -1;
  std::uint32_t round = 1;
};
std::vector<Turn> turns(const std::vector<std::int32_t>& osds, std::uint32_t rounds,
                        std::uint64_t seed);

}  // namespace radosload::timers
