// The sensors of power that the kernel shows as files: RAPL (counters of the CPU packages) and
// hwmon (sensors of the board and of cards).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

namespace radosload::watch {

// The kernel's folders.
struct PowerFolders {
  std::filesystem::path powercap = "/sys/class/powercap";
  std::filesystem::path hwmon = "/sys/class/hwmon";
};

struct PowerFile {
  std::string name;  // "RAPL package-0", "hwmon power_meter power1"
  std::filesystem::path path;
  bool counter = false;     // microjoules, else microwatts
  std::uint64_t range = 0;  // where a counter begins again at 0; 0: it does not
};

// Those to add up, so that none of them contains another. Nothing when they are off. An error when
// there is none, or one may not be read.
Result<std::vector<PowerFile>> find_power_files(PowerSensors sensors, const PowerFolders& folders);

Result<std::uint64_t> read_power_file(const std::filesystem::path& path);

}  // namespace radosload::watch
