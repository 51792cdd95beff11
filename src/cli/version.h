// The version of this radosload, for users and bug reports.
#pragma once

#include <string>

namespace radosload::cli {

// The commit of this build; "unknown" if the source was not a git repository. Defined in a file
// that CMake writes.
extern const char* const source_commit;

// "radosload 0.1.0 (commit 0926896abcde, librados 16.2.15)"
std::string version_text();

}  // namespace radosload::cli
