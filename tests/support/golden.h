// Outputs held against files in tests/golden/. After a change that was meant, rerun the test with
// RADOSLOAD_UPDATE_GOLDEN=1 and read the difference before committing it.
#pragma once

#include <string>

namespace radosload::test {

// A GoogleTest failure of the calling test when the text is not that of the file.
void expect_golden(const std::string& name, const std::string& text);

}  // namespace radosload::test
