// The counts of one kind of operation on one OSD (or on all OSDs) over some time: the unit of
// recorder, intervals and records. Merging cells adds them up, so the parts of a run, in parallel
// or in sequence, always give the whole.
#pragma once

#include <cerrno>
#include <cstdint>
#include <vector>

#include "radosload/op.h"
#include "radosload/target.h"
#include "radosload/units.h"

#include "record/histogram.h"

namespace radosload::record {

// Service time (from submission) and response time (from the time it was due). In a closed loop
// they are equal; the second histogram is created with the first difference.
class Latency {
 public:
  void add(std::uint64_t service_ns, std::uint64_t response_ns) {
    if (service_ns != response_ns && !m_split) [[unlikely]] {
      split();
    }
    m_service.add(service_ns);
    if (m_split) m_response.add(response_ns);
  }
  void merge(const Latency& other);
  void clear();

  const Histogram& service() const { return m_service; }
  const Histogram& response() const { return m_split ? m_response : m_service; }
  // False as long as no operation's response time differed from its service time.
  bool differ() const { return m_split; }
  std::uint64_t count() const { return m_service.count(); }

  // For decoders. The second is null where response times are service times; both count equally
  // many otherwise.
  void add(const Buckets& service, const Buckets* response);
  // For decoders: false when the two do not count the same number of operations.
  static bool assemble(Histogram service, Histogram response, Latency& into);

  bool operator==(const Latency& other) const;

 private:
  void split();

  Histogram m_service;
  Histogram m_response;  // meaningful only when split
  bool m_split = false;
};

// Failures of one kind: rc as in Outcome, and how many.
struct ErrorCount {
  std::int32_t rc = 0;
  std::uint64_t count = 0;
  bool operator==(const ErrorCount&) const = default;
};

// Sorted by rc, each rc once.
void add_error(std::vector<ErrorCount>& errors, std::int32_t rc, std::uint64_t count);
void add_errors(std::vector<ErrorCount>& errors, const std::vector<ErrorCount>& more);
std::uint64_t error_total(const std::vector<ErrorCount>& errors);

// Operations of one phase by outcome, counted separately from the histograms so that the two can be
// compared: in the end submitted = completed + failed + cancelled.
struct Flow {
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;  // successfully
  std::uint64_t failed = 0;
  std::uint64_t cancelled = 0;  // given up by ourselves
  std::uint64_t ended() const { return completed + failed + cancelled; }
  Flow& operator+=(const Flow& other);
  bool operator==(const Flow&) const = default;
};

// Operations that succeeded within a time, independent of when they were sent.
struct Amount {
  std::uint64_t ops = 0;
  std::uint64_t bytes = 0;
  Amount& operator+=(const Amount& other);
  bool operator==(const Amount&) const = default;
};

// How long lost operations had waited: cancelled, timed out, or unanswered. Operations that were
// never sent count from the time they were due, and have no service time.
struct Lost {
  Histogram service;
  Histogram response;

  static bool holds(const Outcome& outcome) {
    return outcome.cancelled() || outcome.rc == -ETIMEDOUT;
  }
  std::uint64_t ops() const { return response.count(); }
  std::uint64_t unsent() const { return response.count() - service.count(); }
  void merge(const Lost& other);
  void clear();
  bool operator==(const Lost&) const = default;
};

// Latencies, errors and bytes are of operations sent (open loop: due) in the measured phase;
// finished and drained are by the time of the answer, and include operations of the warm-up.
struct Cell {
  OpKind kind = OpKind::read;
  std::int32_t osd = no_osd;  // no_osd: all OSDs, or unknown
  Amount finished;            // within the measured phase: what throughput is made of
  Amount drained;             // after it
  std::uint64_t bytes = 0;    // of successful operations
  std::uint64_t cancelled = 0;
  std::uint64_t late = 0;  // issued later than intended by more than the recorder's threshold
  std::vector<ErrorCount> errors;
  Latency latency;  // of successful operations
  Lost lost;

  std::uint64_t ops() const { return latency.count(); }
  std::uint64_t failed() const { return error_total(errors); }
  bool empty() const {
    return ops() + lost.ops() + finished.ops + drained.ops + cancelled + late == 0 &&
           errors.empty();
  }
  // Adds the other's counts; kind and osd stay.
  void merge(const Cell& other);
  // Zero again; kind, osd and memory stay.
  void clear();
  bool operator==(const Cell&) const = default;
};

// Cells sorted by OSD, then kind, each pair once. Finds the cell of that pair, or adds it.
Cell& cell_for(std::vector<Cell>& cells, std::int32_t osd, OpKind kind);
// Adds every cell to the one of its kind and OSD.
void merge_cells(std::vector<Cell>& cells, const std::vector<Cell>& more);

}  // namespace radosload::record
