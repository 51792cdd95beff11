// The labs of a build folder, lab-1, lab-2 and so on, of which every test program has one to
// itself: it holds the lock on a file beside that lab until it ends, so that programs started by
// ctest and by hand do not meet on one cluster.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace radosload::test {

// A lock on a file, held as long as the object lives. Children that are executed do not inherit it.
class FileLock {
 public:
  // Nothing while somebody else holds it.
  static std::optional<FileLock> try_now(const std::filesystem::path& file);
  static FileLock wait_for(const std::filesystem::path& file);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  explicit FileLock(int descriptor) : m_descriptor(descriptor) {}

  int m_descriptor;
};

// The number of the lab that ctest has handed out to this process ("2"), from the two variables it
// sets for that: the count of resource groups, and the labs of the first. Empty without ctest's
// resources. Throws on what it does not understand.
std::string lab_from_ctest(const char* group_count, const char* first_group_labs);

// The labs of the folder that are up, in order.
std::vector<std::filesystem::path> labs_in(const std::filesystem::path& build);

struct ClaimedLab {
  std::filesystem::path folder;
  FileLock lock;
};

// One of the labs that nobody else has locked; nothing while all of them are taken.
std::optional<ClaimedLab> try_claim(const std::vector<std::filesystem::path>& labs);

// The lab of this process, the same until it ends: the one that RADOSLOAD_TEST_LAB names (set by a
// test for the programs that it starts), the one that ctest handed out, or the first that is free.
// Waits while all are taken; throws when none is up.
const std::filesystem::path& lab_of_this_process();

// A cluster that is not ours to multiply: one test program at a time.
void claim_foreign_cluster();

}  // namespace radosload::test
