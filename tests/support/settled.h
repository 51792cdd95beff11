// Waits until the cluster under test has returned to its earlier state. Uses its own connection,
// because starting Ceph's tool for each request would slow down tests that run at the same time.
#pragma once

#include <gtest/gtest.h>

namespace radosload::test {

// The mgr gathers statistics every two seconds and passes them to the mons a moment later, so they
// may be older than the last change. Waits until they are newer than the call.
[[nodiscard]] testing::AssertionResult await_fresh_statistics();

// Waits until all placement groups are clean and the mgr knows it. A test that stops an OSD must
// call this, because the run of the next test would see them move.
void await_clean();

}  // namespace radosload::test
