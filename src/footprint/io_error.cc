#include "footprint/io_error.h"

#include <cerrno>
#include <utility>

#include "observe/rights.h"

#include <fmt/format.h>

namespace radosload::footprint {

Error io_error(std::string attempt, std::string object, int rc, Time limit,
               std::string_view feature) {
  Error error{.attempt = std::move(attempt), .subject = std::move(object), .errnum = -rc};
  if (rc == -ETIMEDOUT) {
    error.reason = fmt::format("no answer within {}", human_text(limit));
    error.hint = observe::silence_hint(feature);
    error.exit = Exit::no_cluster;
  } else if (rc == -EPERM || rc == -EACCES) {
    error.hint = "this user needs osd caps like: allow rw pool=POOL namespace=NAMESPACE; " +
                 observe::rights_hint(feature);
    error.exit = Exit::no_cluster;
  } else if (rc == -EDQUOT || rc == -ENOSPC) {
    error.reason = "the pool is full, or at its quota";
    error.hint = "'radosload cleanup' works in a full pool";
    error.exit = Exit::refused;
  }
  return error;
}

}  // namespace radosload::footprint
