// radosload where no config of a cluster can be found: what comes before any cluster is asked.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/process.h"

namespace radosload::test {

// The first word is the command.
inline Finished at_nowhere(std::vector<std::string> words) {
  words.insert(words.begin() + 1, {"--cluster", "nosuch"});
  return radosload(std::move(words), {{"HOME", "/nonexistent"}});
}

}  // namespace radosload::test
