// Deletes many objects, with as many operations in flight as do not slow each other down. It always
// ends: also when the pool is full, objects are missing, rights are missing, or the cluster does
// not answer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "radosload/result.h"
#include "radosload/units.h"

#include "cluster/bounded_io.h"

namespace radosload::footprint {

struct RemovalCount {
  std::uint64_t removed = 0;
  std::uint64_t missing = 0;            // were not there
  std::map<int, std::uint64_t> failed;  // by negative errno
  std::uint64_t unanswered = 0;         // given up at the deadline
  std::uint64_t done() const;
  std::uint64_t failures() const;
};

struct RemovalOptions {
  std::uint32_t depth = 64;  // at most in flight; how many are follows their latencies
  Time stall_limit = std::chrono::seconds(30);  // ends when nothing was answered for this time
  // Ends when so many in a row were not there; 0: never.
  std::uint64_t missing_limit = 0;
  // Called now and then (a few times a second) from the calling thread; false stops early.
  std::function<bool(const RemovalCount&)> progress = {};
};

// Gives the next name, or nothing at the end.
using Names = std::function<std::optional<std::string>()>;

// Deletes the objects of these names. It stops early when every deletion fails the same way, or
// when no answer comes; then the error says why. The count has the outcome of each deletion.
struct Removal {
  RemovalCount count;
  Status ended = {};
  bool mostly_missing = false;  // the limit of missing ones was reached, and names are left
};
Removal remove_objects(cluster::BoundedIo& io, const Names& names, const RemovalOptions& options);

}  // namespace radosload::footprint
