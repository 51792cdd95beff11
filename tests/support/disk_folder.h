// A folder on a disk, for files that are measured past the page cache: /tmp may lie in memory. It
// is removed with the object.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "support/places.h"

namespace radosload::test {

class DiskFolder {
 public:
  DiskFolder() {
    std::string name = in_build("drive-test-XXXXXX");
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder " + name);
    m_path = name;
  }
  ~DiskFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  DiskFolder(const DiskFolder&) = delete;
  DiskFolder& operator=(const DiskFolder&) = delete;
  DiskFolder(DiskFolder&&) = delete;
  DiskFolder& operator=(DiskFolder&&) = delete;

  std::string file(const std::string& name) const { return m_path / name; }

 private:
  std::filesystem::path m_path;
};

}  // namespace radosload::test
