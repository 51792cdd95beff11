// Names that try to be obeyed by a terminal, or to pass for lines of ours.
#pragma once

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace radosload::test {

// Clears the screen, sets the title, turns the text round (bidi), begins a sequence in C1, is no
// UTF-8, and begins a line of its own.
inline const std::string hostile =
    "p\x1b[2J\x1b]0;t\x07\u202e\u2066\xc2\x9b"
    "31m\x7f\xff\r\nFORGED";

// Nothing of it may come through: no control character but the newlines of our own lines.
inline testing::AssertionResult harmless(const std::string& text) {
  const bool controls = std::any_of(text.begin(), text.end(), [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return (byte < 0x20 && letter != '\n') || byte == 0x7f;
  });
  if (controls) return testing::AssertionFailure() << "a control character in\n" << text;
  for (const char* const bytes : {"\xc2\x9b", "\u202e", "\u2066", "\xff", "\nFORGED"}) {
    if (text.find(bytes) != std::string::npos) {
      return testing::AssertionFailure() << "raw text of a name in\n" << text;
    }
  }
  return testing::AssertionSuccess();
}

// The same, where the name is shown at all.
inline testing::AssertionResult shows_harmlessly(const std::string& text) {
  if (text.find("FORGED") == std::string::npos) {
    return testing::AssertionFailure() << "the name is not in\n" << text;
  }
  return harmless(text);
}

}  // namespace radosload::test
