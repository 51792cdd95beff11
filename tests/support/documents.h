// Every JSON document that a test gets from radosload is checked against its schema, wherever the
// test has it from.
#pragma once

#include <string>

namespace radosload::test {

// Whether it is a document of ours, from its first byte to its last.
bool is_document(const std::string& text);

// Fails the test that runs when the document does not follow its schema in schema/.
void expect_follows_schema(const std::string& document);

}  // namespace radosload::test
