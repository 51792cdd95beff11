// The pictures of a page as SVG that needs no script. Each is empty where there is nothing to draw.
// A name is unique within its page. Pure, and internal to the room.
#pragma once

#include <string>
#include <vector>

#include "html/buckets.h"
#include "html/facts.h"
#include "record/run_record.h"
#include "report/timeline_picture.h"

namespace radosload::html {

// Latencies, and what they are of.
struct NamedCell {
  std::string name;
  record::Cell cell;
};

// Response time over the percentile, to as many nines as there are operations for: a thick line for
// each of `main`, a thin one for each of `thin`.
std::string percentile_curves(const std::string& name, const std::vector<NamedCell>& main,
                              const std::vector<NamedCell>& thin);
// The same figures as a table, for those who cannot see the picture.
std::string percentile_table(const std::vector<NamedCell>& cells);
// All kinds of operations of each OSD: those with the highest means, at most so many.
std::vector<NamedCell> slowest_osds(const std::vector<record::Cell>& cells, std::size_t most);

// Throughput above, latency below, events as numbered lines.
std::string time_picture(const std::string& name, const std::vector<report::Mark>& marks,
                         const Buckets& buckets);
// The slowest operation of each OSD in each bucket.
std::string heat_map(const Buckets& buckets);

// p50 and p99 over the throughput, for runs that differ in their load; a line for each setting of
// all else. Several runs of the same load are one point with its spread. `knees`: indices into
// `runs`.
std::string response_curve(const std::vector<ShownRun>& runs,
                           const std::vector<std::size_t>& knees);

}  // namespace radosload::html
