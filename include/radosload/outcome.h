// What became of one operation. A failure is data: it is counted by kind and errno and the run
// goes on.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>

namespace radosload {

// Failures that no errno names: the cluster said "fine", and the data says otherwise. They share
// the number space of negative errnos, and fit the 16-bit rc of a trace.
inline constexpr int rc_hole = -2001;        // a read returned zeros where a stamped block was
inline constexpr int rc_short_read = -2002;  // fewer bytes than were written there
inline constexpr int rc_stale = -2003;       // a stamp of another run or another place
inline constexpr int rc_corrupt = -2004;     // neither zeros nor any stamp of ours

struct Outcome {
  std::int32_t rc = 0;      // 0, a negative errno, or one of the codes above
  std::uint32_t bytes = 0;  // bytes moved; 0 on failure

  bool ok() const { return rc >= 0; }
  // Given up by ourselves at the drain deadline or on Ctrl-C, as opposed to refused by the cluster.
  bool cancelled() const { return rc == -ECANCELED; }
};

// "ENOENT", "HOLE", "SHORT_READ", ...: the keys of `errors` in a record.
std::string rc_name(int rc);

}  // namespace radosload
