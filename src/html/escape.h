// Text of users and clusters in a page: names, labels and messages are shown, never obeyed.
#pragma once

#include <string>
#include <string_view>

namespace radosload::html {

// For the text of an element and for an attribute in quotes. Control characters become visible
// escapes, newlines and tabs stay.
std::string escaped(std::string_view text);

}  // namespace radosload::html
