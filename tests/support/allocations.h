// Counts what a program allocates with new, for tests that require none. Linking the library
// radosload_allocations replaces the program's operator new.
#pragma once

#include <cstddef>

namespace radosload::test {

// The number since the program began, over all threads.
std::size_t allocations();

}  // namespace radosload::test
