// The result of one operation. A failure is data: it is counted by kind and errno, and the run
// continues.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>

namespace radosload {

// Failures without an errno: the cluster reported success, but the data is wrong. They are in the
// number space of negative errnos, and fit the 16-bit rc of a trace.
inline constexpr int rc_hole = -2001;        // a read returned zeros where a stamped block was
inline constexpr int rc_short_read = -2002;  // fewer bytes than were written there
inline constexpr int rc_stale = -2003;       // a stamp of another data set
inline constexpr int rc_corrupt = -2004;     // neither zeros nor a stamp of radosload
// A read returned an older write than one that had been acknowledged before the read was sent.
inline constexpr int rc_lost_write = -2005;
inline constexpr int rc_never_sent = -2006;   // a write that this run has not sent
inline constexpr int rc_misdirected = -2007;  // a stamp of another object or offset
inline constexpr int rc_torn = -2008;         // parts of several writes, or of a stamp
// Only in the rows of a trace: what has no outcome of its own.
inline constexpr int rc_unanswered = -2009;  // not even after it was cancelled
inline constexpr int rc_unissued = -2010;    // open loop: was due and not sent

struct Outcome {
  std::int32_t rc = 0;      // 0, a negative errno, or one of the codes above
  std::uint32_t bytes = 0;  // bytes moved; 0 on failure

  bool ok() const { return rc >= 0; }
  // Cancelled by radosload at the drain deadline or on Ctrl-C, not refused by the cluster.
  bool cancelled() const { return rc == -ECANCELED; }
};

// "ENOENT", "HOLE", "SHORT_READ", ...: the keys of `errors` in a record.
std::string rc_name(int rc);

}  // namespace radosload
