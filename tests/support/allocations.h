// Counts what a program allocates with new: for tests that promise not to. Linking the library
// radosload_allocations replaces the program's operator new.
#pragma once

#include <cstddef>

namespace radosload::test {

// Since the program began, over all threads.
std::size_t allocations();

}  // namespace radosload::test
