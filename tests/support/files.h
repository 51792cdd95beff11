// Files for tests: reads and writes whole files, and makes a folder that is removed with the
// object.
#pragma once

#include <filesystem>
#include <string>

namespace radosload::test {

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& content);

// tests/fixtures/ceph-VERSION/NAME
std::string fixture(const std::string& version, const std::string& name);

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  // Writes a file in it and returns the whole path.
  std::string with(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path m_path;
};

}  // namespace radosload::test
