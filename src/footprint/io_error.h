// What to tell people when an operation on the footprint's objects has failed.
#pragma once

#include <string>
#include <string_view>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::footprint {

// `rc`: the negative errno. `limit`: after which an operation without an answer fails. `feature`:
// whose rights the user needs, as in 'radosload auth run'.
Error io_error(std::string attempt, std::string object, int rc, Time limit,
               std::string_view feature = "run");

}  // namespace radosload::footprint
