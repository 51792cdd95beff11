#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "radosload/printable.h"
#include "radosload/result.h"

#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

namespace radosload {
namespace {

using namespace std::string_literals;

// Characters that turn the direction of text are what the tests are about.
// NOLINTBEGIN(misc-misleading-bidirectional)

TEST(Printable, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("\x1b[2Jpool"), "\\u001b[2Jpool");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\u000ab\\u0009c\\u000dd");
  EXPECT_EQ(printable("a\0b"s), "a\\u0000b");
  EXPECT_EQ(printable("a\x7f"), "a\\u007f") << "DEL";
  EXPECT_EQ(printable("a\xc2\x9b"s), "a\\u009b") << "C1: another way to begin an escape sequence";
}

TEST(Printable, BidirectionalAndInvisibleCharacters_AreEscaped) {
  EXPECT_EQ(printable("\u202egnp.exe"), "\\u202egnp.exe");
  EXPECT_EQ(printable("\u2066a\u2069"), "\\u2066a\\u2069");
  EXPECT_EQ(printable("a\u200bb"), "a\\u200bb");
  EXPECT_EQ(printable("a\u2028b"), "a\\u2028b");
  EXPECT_EQ(printable("\U000E0041"), "\\udb40\\udc41");
}

TEST(Printable, InvalidUtf8_IsShownAsBytes) {
  EXPECT_EQ(printable("a\xff\xfe"), "a\\xff\\xfe");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80") << "an overlong form";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond Unicode";
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82") << "cut off";
  EXPECT_EQ(printable("\x9b"), "\\x9b") << "C1 as terminals of one byte know it";
}

TEST(Printable, OrdinaryNamesStayAsTheyAre) {
  for (const char* const name : {"hdd", "vm-1 (old)", "größe", "プール", "🐙", "a\\b", ""}) {
    EXPECT_EQ(printable(name), name);
  }
}

TEST(Printable, Texts_KeepTheirLineBreaks) {
  EXPECT_EQ(printable_lines("a\n\tb\x1b\n"), "a\n\tb\\u001b\n");
}

TEST(Printable, Errors_AreShownWithoutControlCharacters) {
  const Error error{.attempt = "open the pool",
                    .subject = "a\n\x1b[31mroot#",
                    .reason = "no \x1b]0;title\x07",
                    .hint = "see \u202e"};
  EXPECT_EQ(error.message(),
            "cannot open the pool a\\u000a\\u001b[31mroot#: no \\u001b]0;title\\u0007\n"
            "  see \\u202e");
}

bool harmless(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

RC_GTEST_PROP(PrintableProperties, ControlSequences_AreAlwaysEscaped, (std::string noise)) {
  const std::string shown = printable(noise);
  RC_ASSERT(harmless(shown));
  RC_ASSERT(printable(shown) == shown);
  // Throws for anything that is not UTF-8.
  nlohmann::json(shown).dump();
}

// What is escaped in the text of a JSON document is still the same document.
TEST(Printable, Json_KeepsItsMeaning) {
  const nlohmann::json document = {{"name", "a\u202e\u009b\x7f\U000E0041"}};
  EXPECT_EQ(nlohmann::json::parse(printable_lines(document.dump(2))), document);
}

// NOLINTEND(misc-misleading-bidirectional)

}  // namespace
}  // namespace radosload
