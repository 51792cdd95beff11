#include "support/files.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "support/places.h"

namespace radosload::test {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("no file " + path.string());
  // In blocks: byte by byte, 64 MiB take three seconds under ASan.
  std::ostringstream content;
  content << stream.rdbuf();
  return std::move(content).str();
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::string fixture(const std::string& version, const std::string& name) {
  return read_file(in_source("tests/fixtures/ceph-" + version + "/" + name));
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "radosload-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  m_path = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

std::string TemporaryFolder::with(const std::string& name, const std::string& content) const {
  const std::filesystem::path path = m_path / name;
  write_file(path, content);
  return path.string();
}

}  // namespace radosload::test
