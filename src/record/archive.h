// A few texts as one gzipped tar archive, in memory. Knows nothing of what they are.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "radosload/result.h"

namespace radosload::record {

struct ArchiveMember {
  std::string path;  // relative, at most 100 bytes of ASCII
  std::string contents;
};

// Members belong to no user, with mode 0600.
Result<std::string> tar_gz(const std::vector<ArchiveMember>& members,
                           std::chrono::system_clock::time_point time);

}  // namespace radosload::record
