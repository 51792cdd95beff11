#include "cli/version.h"

#include "cluster/library_version.h"

#include <fmt/format.h>

namespace radosload::cli {

std::string version_text() {
  return fmt::format("radosload " RADOSLOAD_VERSION " (commit {}, librados {})", source_commit,
                     cluster::librados_version());
}

}  // namespace radosload::cli
