// What the kernel counts of the CPU time that this process could not have: taken by the hypervisor,
// refused by the limit of a cgroup, or used by other programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "radosload/units.h"

namespace radosload::watch {

struct KernelCpu {
  std::optional<Time> throttled = {};  // by the cgroups of this process, since they were made
  std::optional<Time> stolen = {};     // from all CPUs, since the machine started
  std::optional<Time> all = {};        // of all CPUs
  std::optional<Time> pressure = {};   // for how long any thread of the machine waited for a CPU
};

class KernelCpuFiles {
 public:
  explicit KernelCpuFiles(std::filesystem::path proc = "/proc",
                          const std::filesystem::path& cgroups = "/sys/fs/cgroup");

  // What a kernel does not count stays empty.
  KernelCpu read() const;

 private:
  std::filesystem::path m_proc;
  std::vector<std::filesystem::path> m_limits;  // cpu.stat of the process's cgroups
};

}  // namespace radosload::watch
