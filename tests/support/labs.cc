#include "support/labs.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <sys/file.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "support/places.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds between_two_tries(100);
constexpr const char* named_lab = "RADOSLOAD_TEST_LAB";

int open_lock_file(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    throw std::system_error(errno, std::generic_category(), "cannot open " + file.string());
  }
  return descriptor;
}

// Whether the lab is up, by the state file in its folder.
bool is_up(const fs::path& lab) {
  std::ifstream file(lab / "state.json");
  const auto state = nlohmann::json::parse(file, nullptr, false);
  return state.is_object() && state.value("phase", "") == "up";
}

fs::path lock_file_of(const fs::path& lab) {
  return lab.string() + ".lock";
}

std::string value_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// Read again each time, because a lab may come up or go down while this process waits.
std::vector<fs::path> labs_to_choose_from(const fs::path& build, const std::string& number) {
  if (!number.empty()) return {build / ("lab-" + number)};
  std::vector<fs::path> up = labs_in(build);
  if (up.empty()) {
    const std::string folder = (build / "lab-1").string();
    throw std::runtime_error(
        "no cluster to test on: start one with 'tools/lab up --profile fast --dir " + folder +
        "', or name the config of another in RADOSLOAD_TEST_CONF");
  }
  return up;
}

AllocatedLab allocated_lab() {
  return lab_from_ctest(std::getenv("CTEST_RESOURCE_GROUP_COUNT"),
                        std::getenv("CTEST_RESOURCE_GROUP_0_LABS"));
}

ClaimedLab claim(const fs::path& build, const AllocatedLab& lab) {
  for (;;) {
    std::optional<ClaimedLab> claimed = try_claim(labs_to_choose_from(build, lab.number), lab.use);
    if (claimed) return std::move(*claimed);
    // Time: between two tries; another test may keep the lab for long.
    std::this_thread::sleep_for(between_two_tries);
  }
}

fs::path claim_for_this_process() {
  const std::string inherited = value_of(named_lab);
  if (!inherited.empty()) return inherited;
  // The lock is held by this variable, so it ends with the process.
  static const ClaimedLab claimed = claim(in_build(""), allocated_lab());
  ::setenv(named_lab, claimed.folder.c_str(), 1);
  return claimed.folder;
}

}  // namespace

std::optional<FileLock> FileLock::try_now(const fs::path& file, LabUse use) {
  FileLock lock(open_lock_file(file));
  const int kind = use == LabUse::shared ? LOCK_SH : LOCK_EX;
  if (::flock(lock.m_descriptor, kind | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) {
    throw std::system_error(errno, std::generic_category(), "cannot lock " + file.string());
  }
  return std::nullopt;
}

FileLock FileLock::wait_for(const fs::path& file, LabUse use) {
  for (;;) {
    std::optional<FileLock> lock = try_now(file, use);
    if (lock) return std::move(*lock);
    // Time: between two tries; another process may keep the lock for long.
    std::this_thread::sleep_for(between_two_tries);
  }
}

FileLock::~FileLock() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

FileLock::FileLock(FileLock&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

AllocatedLab lab_from_ctest(const char* group_count, const char* first_group_labs) {
  if (group_count == nullptr) return {};
  const std::string labs = first_group_labs == nullptr ? "" : first_group_labs;
  // Four slots are a whole lab (tests/tiers.cmake).
  static const std::regex format("id:([^,]+),slots:([14])");
  std::smatch found;
  if (!std::regex_match(labs, found, format)) {
    throw std::runtime_error("ctest's resources name no lab: '" + labs + "'");
  }
  return {.number = found[1], .use = found[2] == "1" ? LabUse::shared : LabUse::alone};
}

std::vector<fs::path> labs_in(const fs::path& build) {
  std::vector<fs::path> labs;
  for (const fs::directory_entry& entry : fs::directory_iterator(build)) {
    const bool named_so = entry.path().filename().string().starts_with("lab-");
    if (named_so && is_up(entry.path())) labs.push_back(entry.path());
  }
  std::sort(labs.begin(), labs.end());
  return labs;
}

std::optional<ClaimedLab> try_claim(const std::vector<fs::path>& labs, LabUse use) {
  for (const fs::path& folder : labs) {
    std::optional<FileLock> lock = FileLock::try_now(lock_file_of(folder), use);
    if (lock) return ClaimedLab{.folder = folder, .lock = std::move(*lock)};
  }
  return std::nullopt;
}

const fs::path& lab_of_this_process() {
  static const fs::path folder = claim_for_this_process();
  return folder;
}

void claim_foreign_cluster() {
  // A child of a test works on the cluster that its parent has claimed.
  if (!value_of(named_lab).empty()) return;
  ::setenv(named_lab, "foreign", 1);
  static const FileLock lock =
      FileLock::wait_for(in_build("foreign_cluster.lock"), allocated_lab().use);
}

}  // namespace radosload::test
