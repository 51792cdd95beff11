// Prose as a terminal shows it, and the topics of `radosload help`.
#include <sstream>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/prose.h"
#include "plan/patterns.h"
#include "plan/suites.h"

namespace radosload::cli {
namespace {

using ::testing::HasSubstr;

TEST(ProseText, ParagraphsAreWrappedTermsAlignedAndCodeLeftAlone) {
  const Prose prose = {paragraph("one two three four five"), term("a", "first"),
                       term("longer", "second word and more"), code("x  y\n\nz"), heading("Title")};
  EXPECT_EQ(plain_text(prose, 21),
            "one two three four\nfive\n\n"
            "  a       first\n  longer  second word\n          and more\n\n"
            "    x  y\n\n    z\n\nTitle\n");
}

TEST(ProseText, ALongTermStandsOnALineOfItsOwn) {
  const Prose prose = {term("/etc/radosload/radosload.conf", "for all"), term("b", "short")};
  EXPECT_EQ(plain_text(prose, 40),
            "  /etc/radosload/radosload.conf\n        for all\n  b     short\n");
}

TEST(ProseText, WidthsAreThoseOfATerminal_NotBytes) {
  EXPECT_EQ(plain_text({term("µs", "one"), term("MiB", "two"), term("Größe", "three")}, 40),
            "  µs     one\n  MiB    two\n  Größe  three\n");
  EXPECT_EQ(plain_text({paragraph("ää öö üü")}, 8), "ää öö üü\n");
}

TEST(Topics, FitAPageAndAreNotEmpty) {
  for (const Topic& topic : topics()) {
    EXPECT_FALSE(topic.summary.empty()) << topic.name;
    const std::string text = plain_text(topic.prose(), 80);
    EXPECT_GT(text.size(), 200U) << topic.name;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
    EXPECT_EQ(find_topic(topic.name), &topic);
  }
  EXPECT_EQ(find_topic("nonsense"), nullptr);
}

TEST(Topics, PatternsHasEveryNameSuiteAndKey) {
  const std::string text = plain_text(find_topic("patterns")->prose(), 80);
  for (const auto& named : plan::catalogue()) {
    EXPECT_THAT(text, HasSubstr("  " + named.defaults.name));
  }
  for (const auto& suite : plan::suites()) {
    EXPECT_THAT(text, HasSubstr("  " + std::string(suite.name)));
  }
  for (const auto& key : plan::pattern_keys()) {
    EXPECT_THAT(text, HasSubstr("  " + std::string(key.key) + "="));
  }
}

}  // namespace
}  // namespace radosload::cli
