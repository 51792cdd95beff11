#include "support/places.h"

#include <filesystem>

namespace radosload::test {

std::string in_source(std::string_view path) {
  return std::filesystem::path(RADOSLOAD_SOURCE_DIR) / path;
}

std::string in_build(std::string_view path) {
  return std::filesystem::path(RADOSLOAD_BINARY_DIR) / path;
}

std::string nowhere(std::string_view name) {
  return std::filesystem::path("/dev/null") / name;
}

std::string test_python() {
  return RADOSLOAD_TEST_PYTHON;
}

}  // namespace radosload::test
