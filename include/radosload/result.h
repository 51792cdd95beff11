// How anything of ours fails: an Error that a person can act on, carried by Result<T>.
// A failed operation under load is not an Error but data (see outcome.h).
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace radosload {

// The program's exit statuses; scripts rely on them.
enum class Exit : int {
  measured = 0,       // everything asked for was measured or shown
  flawed = 1,         // measured, but some operations failed or the run is void
  usage = 2,          // the words of the command line are wrong
  no_cluster = 3,     // no cluster, no permission, no such pool
  refused = 4,        // a safety guard said no
  verdict = 5,        // compare and study with --fail-if
  interrupted = 130,  // Ctrl-C; what was measured is reported and saved
};

struct Error {
  std::string attempt = {};  // what was tried: "connect to the cluster"
  std::string subject = {};  // on what: "/etc/ceph/ceph.conf"; may be empty
  std::string reason = {};   // why it failed, beyond what errnum says; may be empty
  std::string hint = {};     // what to do next; may be empty
  int errnum = 0;            // positive errno, 0 when there is none
  Exit exit = Exit::flawed;

  // One or two lines for a person: "cannot ATTEMPT SUBJECT: REASON" and the hint below it.
  std::string message() const;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

// return fail({.attempt = "read", .subject = path, .errnum = errno});
inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

// An error in one line, with the hint in brackets: for what is noted and ends nothing.
std::string one_line(Error error);

// "EACCES" for 13, "errno 9999" for what has no name. Takes either sign.
std::string errno_name(int errnum);
// "Permission denied (EACCES)". Takes either sign.
std::string errno_text(int errnum);

}  // namespace radosload
