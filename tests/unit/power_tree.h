// A tree as the kernel shows its sensors of power, made up in a folder of the test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "support/files.h"
#include "watch/power_files.h"

namespace radosload::test {

class PowerTree {
 public:
  PowerTree() {
    std::filesystem::create_directories(folders().powercap);
    std::filesystem::create_directories(folders().hwmon);
  }
  watch::PowerFolders folders() const {
    return {.powercap = m_folder.path() / "powercap", .hwmon = m_folder.path() / "hwmon"};
  }
  // Writes a file of it; the folders are made.
  std::filesystem::path set(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = m_folder.path() / name;
    std::filesystem::create_directories(file.parent_path());
    write_file(file, text + "\n");
    return file;
  }
  // "intel-rapl:0", "package-0"
  std::filesystem::path domain(const std::string& name, const std::string& kind,
                               std::uint64_t microjoules) const {
    static_cast<void>(set("powercap/" + name + "/name", kind));
    static_cast<void>(set("powercap/" + name + "/max_energy_range_uj", "1000000"));
    return set("powercap/" + name + "/energy_uj", std::to_string(microjoules));
  }
  // The chip's name stands in a file.
  void chip(const std::string& number, const std::string& name) const {
    static_cast<void>(set("hwmon/hwmon" + number + "/name", name));
  }
  std::filesystem::path path() const { return m_folder.path(); }

 private:
  TemporaryFolder m_folder;
};

}  // namespace radosload::test
