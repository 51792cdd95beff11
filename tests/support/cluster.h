// The cluster of the cluster tests: the one whose config RADOSLOAD_TEST_CONF names, or else a lab
// of this build folder that no other test uses meanwhile (support/labs.h). Without a cluster the
// tests fail; they are never skipped.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/process.h"

namespace radosload::test {

// The config's path; throws when there is no cluster, so that the test fails.
const std::string& cluster_conf();

// True on a lab: only there may a test stop daemons.
bool on_lab();

// Runs tools/lab on the lab of this test.
Finished lab(std::vector<std::string> words);

// Run the ceph tool and radosload on the cluster under test.
Finished ceph(std::vector<std::string> words);
// Waits until what the ceph tool answers contains the text, or no longer does.
testing::AssertionResult wait_for_answer(const std::vector<std::string>& words,
                                         const std::string& text, bool there = true);
Finished radosload_here(std::vector<std::string> words,
                        std::map<std::string, std::string> env = {});
// Removes the kept data sets of a pool, each by the name that cleanup requires. Returns the last
// answer.
Finished clean_up_kept(const std::string& pool);

// A user with the given caps, and its keyring file; both exist as long as the object.
class CephUser {
 public:
  CephUser(std::string id, const std::vector<std::string>& caps);
  ~CephUser();
  CephUser(const CephUser&) = delete;
  CephUser& operator=(const CephUser&) = delete;
  CephUser(CephUser&&) = delete;
  CephUser& operator=(CephUser&&) = delete;

  const std::string& id() const { return m_id; }
  const std::string& keyring() const { return m_keyring; }

 private:
  std::string m_id;
  std::string m_keyring;
};

}  // namespace radosload::test
