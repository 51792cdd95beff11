// What the probe measures: visits to OSDs, rounds of visits, and changes that were found in them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/units.h"

namespace radosload::probe {

enum class Kind : std::uint8_t { read, write };
inline constexpr std::array<Kind, 2> kinds = {Kind::read, Kind::write};
inline constexpr std::array<std::string_view, 2> kind_names = {"read", "write"};
constexpr std::size_t index_of(Kind kind) {
  return static_cast<std::size_t>(kind);
}
constexpr std::string_view kind_name(Kind kind) {
  return kind_names[index_of(kind)];
}

// A series of figures belongs to an OSD, by its number, or to one of these.
inline constexpr std::int32_t class_of_osds = -1;
inline constexpr std::int32_t whole_pool = -2;

// An OSD that leads PGs of the probed pool, or the pool as a whole.
struct Target {
  std::int32_t osd = whole_pool;
  std::string device_class = {};  // "hdd"; empty: it has none
  bool operator==(const Target&) const = default;
};

// The operations of one kind in one visit.
struct Timing {
  // Geometric mean of the service times; nothing when none was answered. It moves least by chance.
  std::optional<Time> typical = {};
  std::uint32_t answered = 0;
  std::uint32_t failed = 0;
  int rc = 0;  // of the first that failed
  bool operator==(const Timing&) const = default;
};

struct Visit {
  Target target;
  std::array<Timing, 2> timings = {};  // by Kind
  // From when each operation was due until its answer. For the histograms; not in the history.
  std::array<std::vector<Time>, 2> responses = {};

  Timing& of(Kind kind) { return timings[index_of(kind)]; }
  const Timing& of(Kind kind) const { return timings[index_of(kind)]; }
  bool failed() const { return timings[0].failed + timings[1].failed > 0; }
  bool operator==(const Visit&) const = default;
};

// One visit to each OSD.
struct Round {
  Time at{0};                                  // since 1970, by the wall clock
  Time took{0};                                // until the last answer
  std::uint64_t missed = 0;                    // rounds that were due before it and were left out
  std::string error = {};                      // why nothing could be probed; empty: it was
  std::vector<std::string> notes = {};         // as that the wall clock jumped
  std::vector<Visit> visits = {};              // in the order of the OSDs
  std::vector<std::int32_t> without_pgs = {};  // OSDs that lead no PG of the pool
  bool operator==(const Round&) const = default;
};

// The latency of an OSD, of all OSDs of a class, or of the pool, is at another level.
struct Change {
  Time found{0};  // since 1970
  Time since{0};  // of the first probe at the new level
  std::int32_t osd = class_of_osds;
  std::string device_class = {};
  Kind kind = Kind::read;
  double ratio = 1;  // after / before; of an OSD with peers, compared with theirs
  Time before{0};    // medians of what was measured
  Time after{0};
  std::uint32_t peers = 0;   // OSDs of the class that it was compared with; 0: with itself only
  std::uint32_t probes = 0;  // at the new level until it was found
  bool operator==(const Change&) const = default;
};

// "2026-11-26T08:20:00Z"
std::string second_text(Time at);
// "osd.3", "class hdd", or "the pool"
std::string change_subject(const Change& change);
// "osd.3 read: 1.52 times as long since 2026-11-26T08:20:00Z (8.1 ms, now 12.4 ms; 7 peers)"
std::string change_text(const Change& change);

// The median of an odd number of times, or the lower of the two in the middle.
std::optional<Time> median_of(std::vector<Time> times);
std::optional<Time> geometric_mean(const std::vector<Time>& times);

}  // namespace radosload::probe
