// Checks every JSON document that a test gets from radosload against its schema.
#pragma once

#include <string>

namespace radosload::test {

// Whether the whole text is a document of radosload.
bool is_document(const std::string& text);

// Fails the test that runs when the document does not follow its schema in schema/.
void expect_follows_schema(const std::string& document);

}  // namespace radosload::test
