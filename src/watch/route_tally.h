// Compares where sampled operations were sent with where they should have gone. An operation whose
// placement group has moved is no stray: the client may get a new map before this code does.
// Pure.
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
  // The OSDs that the run is pinned to; none: it is not.
  explicit RouteTally(std::vector<std::int32_t> pinned) : m_pinned(pinned.begin(), pinned.end()) {}

  // An operation in this PG, which that OSD serves as far as we know.
  void add(std::uint32_t pg, std::int32_t home, std::int32_t sent);
  void end_sample() { ++m_samples; }
  std::uint64_t samples() const { return m_samples; }
  // Adds what was seen. `moved`: the PGs that have moved since the run began.
  void put_into(record::Routing& routing, const std::set<std::uint32_t>& moved) const;

 private:
  struct Seen {
    std::uint64_t sampled = 0;
    std::uint64_t there = 0;
  };
  using Elsewhere = std::tuple<std::uint32_t, std::int32_t, std::int32_t>;  // PG, meant, sent

  std::set<std::int32_t> m_pinned;
  std::uint64_t m_samples = 0;
  std::map<std::int32_t, Seen> m_seen;
  std::map<Elsewhere, std::uint64_t> m_elsewhere;
};

// The row of an OSD, which is made where there is none.
record::OsdRoute& route_of(record::Routing& routing, std::int32_t osd);

// Adds how many operations each OSD got: those of the measured phase, and those of all others.
void add_sent(record::Routing& routing, const std::vector<record::Cell>& measured,
              const std::map<std::int32_t, record::Ended>& unmeasured);

// What it means for the figures.
record::Grade grade_of(const record::Routing& routing, bool pinned);

}  // namespace radosload::watch
