#include "report/compat/fio_buckets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>

#include "report/compat/fio_terms.h"
#include "report/compat/with_lost.h"

namespace radosload::report {

using record::Histogram;
using record::RunRecord;

namespace {

struct Bound {
  std::string_view label;
  std::uint64_t below;
};
constexpr std::uint64_t no_bound = std::numeric_limits<std::uint64_t>::max();
constexpr std::array<Bound, 12> bounds = {{{"2", 2},
                                           {"4", 4},
                                           {"10", 10},
                                           {"20", 20},
                                           {"50", 50},
                                           {"100", 100},
                                           {"250", 250},
                                           {"500", 500},
                                           {"750", 750},
                                           {"1000", 1000},
                                           {"2000", 2000},
                                           {">=2000", no_bound}}};
constexpr std::size_t up_to_1000 = 10;

FioShares empty_shares(std::span<const Bound> labels) {
  FioShares shares;
  for (const Bound& bound : labels) shares.push_back({.label = bound.label});
  return shares;
}

void add_to(FioShares& shares, std::uint64_t value, double part) {
  std::size_t place = 0;
  while (place + 1 < shares.size() && value >= bounds.at(place).below) ++place;
  shares[place].part += part;
}

}  // namespace

FioLatencyShares fio_latencies(const RunRecord& record) {
  constexpr std::uint64_t ns_per_us = 1'000;
  constexpr std::uint64_t ns_per_ms = 1'000'000;
  FioLatencyShares shares = {.ns = empty_shares(std::span(bounds).first<up_to_1000>()),
                             .us = empty_shares(std::span(bounds).first<up_to_1000>()),
                             .ms = empty_shares(bounds)};
  Histogram all;
  for (const FioDirection direction : fio_directions) {
    all.merge(response_with_lost(fio_total(record, direction)));
  }
  all.for_each([&](std::size_t index, std::uint64_t count) {
    const std::uint64_t ns = Histogram::middle_of(index);
    const double part = static_cast<double>(count) / static_cast<double>(all.count());
    if (ns < ns_per_us) {
      add_to(shares.ns, ns, part);
    } else if (ns < ns_per_ms) {
      add_to(shares.us, ns / ns_per_us, part);
    } else {
      add_to(shares.ms, ns / ns_per_ms, part);
    }
  });
  return shares;
}

FioShares fio_depths(const RunRecord& record) {
  FioShares shares = {{"1"}, {"2"}, {"4"}, {"8"}, {"16"}, {"32"}, {">=64"}};
  double submitted = 0;
  for (const record::TimelineRow& row : record.timeline) {
    if (row.start >= record.measured) continue;
    // A second may end with nothing in flight; its operations still had a depth of at least 1.
    const std::uint64_t depth = std::max<std::uint64_t>(row.in_flight, 1);
    const auto level = static_cast<unsigned>(std::bit_width(depth)) - 1;
    shares[std::min<std::size_t>(level, shares.size() - 1)].part +=
        static_cast<double>(row.flow.submitted);
    submitted += static_cast<double>(row.flow.submitted);
  }
  for (FioShare& share : shares) share.part = submitted > 0 ? share.part / submitted : 0;
  return shares;
}

}  // namespace radosload::report
