// Compares outputs with files in tests/golden/. After an intended change, rerun the test with
// RADOSLOAD_UPDATE_GOLDEN=1 and read the difference before you commit it.
#pragma once

#include <string>

namespace radosload::test {

// Fails the calling test if the text differs from the file.
void expect_golden(const std::string& name, const std::string& text);

}  // namespace radosload::test
