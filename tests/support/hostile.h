// Names that contain control sequences, or look like lines of radosload.
#pragma once

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace radosload::test {

// Clears the screen, sets the title, reverses the text (bidi), starts a C1 sequence, is not UTF-8,
// and starts a line of its own.
inline const std::string hostile =
    "p\x1b[2J\x1b]0;t\x07\u202e\u2066\xc2\x9b"
    "31m\x7f\xff\r\nFORGED";

// Succeeds if the text has no control character except radosload's own newlines.
inline testing::AssertionResult harmless(const std::string& text) {
  const bool controls = std::any_of(text.begin(), text.end(), [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return (byte < 0x20 && letter != '\n') || byte == 0x7f;
  });
  if (controls) return testing::AssertionFailure() << "a control character in\n" << text;
  // NOLINTNEXTLINE(misc-misleading-bidirectional): that is what they are here for
  for (const char* const bytes : {"\xc2\x9b", "\u202e", "\u2066", "\xff", "\nFORGED"}) {
    if (text.find(bytes) != std::string::npos) {
      return testing::AssertionFailure() << "raw text of a name in\n" << text;
    }
  }
  return testing::AssertionSuccess();
}

// The same, and the name must be in the text.
inline testing::AssertionResult shows_harmlessly(const std::string& text) {
  if (text.find("FORGED") == std::string::npos) {
    return testing::AssertionFailure() << "the name is not in\n" << text;
  }
  return harmless(text);
}

}  // namespace radosload::test
