// What the errors of a run on a file system mean.
#pragma once

#include <string>
#include <vector>

#include "run/measure.h"

namespace radosload::run {

// A line for each error whose cause is a matter of the file system: a quota, an eviction, rights.
std::vector<std::string> file_findings(const PassEnd& pass);

// What to do about such an error; empty for others. `rc`: a negative errno.
std::string file_hint(int rc);

}  // namespace radosload::run
