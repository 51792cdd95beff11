// Which radosload this is, for people and for bug reports.
#pragma once

#include <string>

namespace radosload::cli {

// The commit that was built; "unknown" where the source was not a git repository. Defined in a file
// that CMake writes.
extern const char* const source_commit;

// "radosload 0.1.0 (commit 0926896abcde, librados 16.2.15)"
std::string version_text();

}  // namespace radosload::cli
