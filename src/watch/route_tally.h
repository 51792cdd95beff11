// Compares the OSDs that sampled operations were sent to with the intended ones. An operation of a
// PG that has moved does not count as a stray, because the client may get a new map earlier than
// this code. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "radosload/result.h"

#include "record/routing.h"
#include "record/run_record.h"

namespace radosload::watch {

class RouteTally {
 public:
  // The OSDs that the run is pinned to; empty: it is not pinned.
  explicit RouteTally(std::vector<std::int32_t> pinned) : m_pinned(pinned.begin(), pinned.end()) {}

  // Adds an operation in this PG, which `home` serves according to the known map.
  void add(std::uint32_t pg, std::int32_t home, std::int32_t sent);
  void end_sample() { ++m_samples; }
  std::uint64_t samples() const { return m_samples; }
  // Adds the counts. `moved`: the PGs that have moved since the run began.
  void put_into(record::Routing& routing, const std::set<std::uint32_t>& moved) const;

 private:
  struct Seen {
    std::uint64_t sampled = 0;
    std::uint64_t there = 0;
  };
  // PG, intended OSD, actual OSD
  using Elsewhere = std::tuple<std::uint32_t, std::int32_t, std::int32_t>;

  std::set<std::int32_t> m_pinned;
  std::uint64_t m_samples = 0;
  std::map<std::int32_t, Seen> m_seen;
  std::map<Elsewhere, std::uint64_t> m_elsewhere;
};

// The row of an OSD, which is added if it is missing.
record::OsdRoute& route_of(record::Routing& routing, std::int32_t osd);

// Adds the number of operations per OSD: of the measured phase, and of all other phases.
void add_sent(record::Routing& routing, const std::vector<record::Cell>& measured,
              const std::map<std::int32_t, record::Ended>& unmeasured);

// How the routes affect the figures.
record::Grade grade_of(const record::Routing& routing, bool pinned);

}  // namespace radosload::watch
