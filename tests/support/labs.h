// The labs of a build folder (lab-1, lab-2, ...). Each test program uses one lab alone, or shares
// it when ctest has allocated only a part of it (tests/tiers.txt): it locks a file beside the lab
// until it ends, so that programs started by ctest and by hand do not disturb each other.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace radosload::test {

enum class LabUse {
  alone,
  shared,  // with other tests that share it
};

// A lock on a file, held as long as the object lives. Children that are executed do not inherit it.
class FileLock {
 public:
  // Empty while another process holds the lock in a way that excludes this one.
  static std::optional<FileLock> try_now(const std::filesystem::path& file,
                                         LabUse use = LabUse::alone);
  static FileLock wait_for(const std::filesystem::path& file, LabUse use = LabUse::alone);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  explicit FileLock(int descriptor) : m_descriptor(descriptor) {}

  int m_descriptor;
};

struct AllocatedLab {
  std::string number;  // "2"; empty if ctest allocates no labs
  LabUse use = LabUse::alone;
};

// What ctest has allocated to this process, from the two variables that it sets: the count of
// resource groups, and the labs of the first group. Throws on an unknown format.
AllocatedLab lab_from_ctest(const char* group_count, const char* first_group_labs);

// The labs of the folder that are up, in order.
std::vector<std::filesystem::path> labs_in(const std::filesystem::path& build);

struct ClaimedLab {
  std::filesystem::path folder;
  FileLock lock;
};

// One of the labs that no other process has locked; empty while all of them are locked.
std::optional<ClaimedLab> try_claim(const std::vector<std::filesystem::path>& labs,
                                    LabUse use = LabUse::alone);

// The lab of this process, the same until it ends: the one that RADOSLOAD_TEST_LAB names (set by a
// test for the programs that it starts), the one that ctest allocated, or the first that is free.
// Waits while all are locked; throws when none is up.
const std::filesystem::path& lab_of_this_process();

// The same for a cluster that is not a lab.
void claim_foreign_cluster();

}  // namespace radosload::test
