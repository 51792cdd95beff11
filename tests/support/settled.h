// Waiting until the cluster under test is what it was before: over a connection of the test's own,
// because starting Ceph's tool for each question would take the processor from the tests beside.
#pragma once

namespace radosload::test {

// Statistics are gathered every two seconds, and reach the mons a moment later: what they say may
// be of the time before the last change. Waits until they are of now; false when that does not
// come.
[[nodiscard]] bool await_fresh_statistics();

// Until all placement groups are whole again, and the mgr knows: what a test that takes an OSD away
// owes to the next one, whose run would see them move.
void await_clean();

}  // namespace radosload::test
