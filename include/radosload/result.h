// How radosload reports errors: an Error with attempt, reason and next step, carried by Result<T>.
// A failed operation under load is not an Error but data (see outcome.h).
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace radosload {

// The program's exit statuses; scripts rely on them.
enum class Exit : int {
  measured = 0,       // everything requested was measured or shown
  flawed = 1,         // measured, but some operations failed or the run is void
  usage = 2,          // usage error: the command line is invalid
  no_cluster = 3,     // no cluster, no permission, no such pool
  refused = 4,        // a safety guard said no
  verdict = 5,        // compare and study with --fail-if; baseline check: slower
  interrupted = 130,  // Ctrl-C; what was measured is reported and saved
};

struct Error {
  std::string attempt = {};  // what was tried: "connect to the cluster"
  std::string subject = {};  // on what: "/etc/ceph/ceph.conf"; may be empty
  std::string reason = {};   // why it failed, beyond what errnum says; may be empty
  std::string hint = {};     // what to do next; may be empty
  int errnum = 0;            // positive errno, 0 when there is none
  Exit exit = Exit::flawed;

  // One or two lines for the user: "cannot ATTEMPT SUBJECT: REASON" and the hint below it.
  std::string message() const;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

// return fail({.attempt = "read", .subject = path, .errnum = errno});
inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

// RADOSLOAD_TRY(connection->connect());
//
// Leaves the function with the Error of a Result that failed. Its value, if it has one, is dropped.
#define RADOSLOAD_TRY(...) RADOSLOAD_TRY_AS(RADOSLOAD_UNIQUE_NAME(), __VA_ARGS__)

// RADOSLOAD_ASSIGN(const auto dump, commands.mon("osd dump"));
//
// The same, and declares `dump` with the value of the Result, or assigns it to an existing
// variable. Two statements: not for an `if` without braces.
#define RADOSLOAD_ASSIGN(declaration, ...) \
  RADOSLOAD_ASSIGN_AS(RADOSLOAD_UNIQUE_NAME(), declaration, __VA_ARGS__)

// The parts of these macros. The number in the name is for a macro in a lambda that is an argument
// of another macro: the same name would shadow the outer one.
#define RADOSLOAD_UNIQUE_NAME() RADOSLOAD_JOINED(radosload_result_, __COUNTER__)
#define RADOSLOAD_JOINED(left, right) RADOSLOAD_JOINED_AS(left, right)
#define RADOSLOAD_JOINED_AS(left, right) left##right
#define RADOSLOAD_TRY_AS(result, ...)                      \
  do {                                                     \
    if (auto result = (__VA_ARGS__); !(result))            \
      return ::radosload::fail(std::move(result).error()); \
  } while (false)
#define RADOSLOAD_ASSIGN_AS(result, declaration, ...)                 \
  auto result = (__VA_ARGS__);                                        \
  if (!(result)) return ::radosload::fail(std::move(result).error()); \
  declaration = *std::move(result)

// An error in one line, with the hint in brackets: for notes that end nothing.
std::string one_line(Error error);

// "EACCES" for 13, "errno 9999" for an errno without a name. Takes either sign.
std::string errno_name(int errnum);
// "Permission denied (EACCES)". Takes either sign.
std::string errno_text(int errnum);

}  // namespace radosload
