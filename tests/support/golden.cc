#include "support/golden.h"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/places.h"

namespace radosload::test {

void expect_golden(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path(in_source("tests/golden/" + name));
  if (std::getenv("RADOSLOAD_UPDATE_GOLDEN") != nullptr) write_file(path, text);
  ASSERT_TRUE(std::filesystem::exists(path)) << path << ": make it with RADOSLOAD_UPDATE_GOLDEN=1";
  EXPECT_EQ(read_file(path), text) << path;
}

}  // namespace radosload::test
