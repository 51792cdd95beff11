#include "support/documents.h"

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/places.h"
#include "support/process.h"

namespace radosload::test {

bool is_document(const std::string& text) {
  constexpr std::size_t head = 40;
  return text.starts_with("{") && text.ends_with("}\n") &&
         text.substr(0, head).find(R"("schema": "radosload.)") != std::string::npos;
}

void expect_follows_schema(const std::string& document) {
  const TemporaryFolder folder;
  const std::string path = folder.with("document.json", document);
  const Finished checked =
      run({.words = {"/usr/bin/python3", "-B", in_source("tests/support/schema.py"), path}});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err << "in the document:\n"
                               << document.substr(0, 2000);
}

}  // namespace radosload::test
