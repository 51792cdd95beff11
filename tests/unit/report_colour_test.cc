// Colours are put into finished text by the labels of its lines, and nowhere else.
#include <gtest/gtest.h>

#include "radosload/printable.h"

#include <rapidcheck/gtest.h>

#include "report/colour.h"
#include "report/text.h"
#include "support/hostile.h"
#include "unit/report_support.h"

namespace radosload::report {
namespace {

// The text without what radosload's own colours consist of.
std::string without_colours(std::string text) {
  for (const char* const code : {"\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"}) {
    for (auto at = text.find(code); at != std::string::npos; at = text.find(code, at)) {
      text.erase(at, std::string(code).size());
    }
  }
  return text;
}

TEST(Colour, GradesHaveTheColourOfTheirVerdict) {
  EXPECT_EQ(coloured("  grade     clean\n"), "  grade     \x1b[32mclean\x1b[0m\n");
  EXPECT_EQ(coloured("  grade     contaminated: PGs not clean\n"),
            "  grade     \x1b[33mcontaminated\x1b[0m: PGs not clean\n");
  EXPECT_EQ(coloured("  grade     void: osd.3 restarted\n"),
            "  grade     \x1b[31mvoid\x1b[0m: osd.3 restarted\n");
  EXPECT_EQ(coloured("  grade     not graded (recovery and scrubs were not watched)\n"),
            "  grade     not graded (recovery and scrubs were not watched)\n");
}

TEST(Colour, LabelsOfErrorsWarningsAndTheSlowOsd) {
  EXPECT_EQ(coloured("  errors    read: 3 EIO\n  seed      42\n"),
            "  \x1b[31merrors\x1b[0m    read: 3 EIO\n  seed      42\n");
  EXPECT_EQ(coloured("  slowest   osd.3: mean read 14 ms"),
            "  \x1b[33mslowest\x1b[0m   osd.3: mean read 14 ms");
}

TEST(Colour, VerdictsBelowAndNotBelow) {
  EXPECT_EQ(coloured("  verdict   p99 3 ms: below etcd's limit"),
            "  verdict   p99 3 ms: \x1b[32mbelow\x1b[0m etcd's limit");
  EXPECT_EQ(coloured("  verdict   p99 12 ms: NOT below etcd's limit"),
            "  verdict   p99 12 ms: \x1b[31mNOT below\x1b[0m etcd's limit");
}

TEST(Colour, FirstWordOfAMessage_IsColoured) {
  EXPECT_EQ(coloured_error("radosload: no pool\n"), "\x1b[31mradosload:\x1b[0m no pool\n");
  EXPECT_EQ(coloured_warning("radosload: no pool\n"), "\x1b[33mradosload:\x1b[0m no pool\n");
}

RC_GTEST_PROP(Colour, AddsNothingButColours, ()) {
  const std::string text = printable_lines(*rc::gen::string<std::string>()) + "\n  errors    " +
                           printable_lines(*rc::gen::string<std::string>());
  RC_ASSERT(without_colours(coloured(text)) == text);
}

TEST(Colour, Names_CannotAddColours) {
  record::RunRecord run = testing::run_of({});
  run.warnings = {"\x1b[31mred\x1b[0m", test::hostile};
  const std::string shown = coloured(printable_lines(text(run, "")));
  EXPECT_NE(shown.find("\\u001b[31mred"), std::string::npos) << shown;
  EXPECT_EQ(without_colours(shown).find('\x1b'), std::string::npos) << shown;
}

}  // namespace
}  // namespace radosload::report
