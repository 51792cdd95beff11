// When results have colours and block characters.
#include <gtest/gtest.h>

#include "cli/options/display_options.h"

namespace radosload::cli {
namespace {

TEST(DisplayOptions, TheFirstVariableThatIsSetNamesTheLocale) {
  EXPECT_TRUE(is_utf8_locale("", "", "en_US.UTF-8"));
  EXPECT_TRUE(is_utf8_locale("C.utf8", "", ""));
  EXPECT_FALSE(is_utf8_locale("C", "en_US.UTF-8", "en_US.UTF-8")) << "LC_ALL wins";
  EXPECT_FALSE(is_utf8_locale("", "POSIX", "en_US.UTF-8")) << "then LC_CTYPE";
  EXPECT_FALSE(is_utf8_locale("", "", ""));
  EXPECT_FALSE(is_utf8_locale("", "", "de_DE.ISO-8859-1"));
}

TEST(DisplayOptions, Colours_NeedATerminalWithoutNoColor) {
  EXPECT_TRUE(wants_colours("auto", true, "", "xterm-256color"));
  EXPECT_FALSE(wants_colours("auto", false, "", "xterm")) << "a pipe or a file";
  EXPECT_FALSE(wants_colours("auto", true, "1", "xterm")) << "NO_COLOR";
  EXPECT_FALSE(wants_colours("auto", true, "", "dumb"));
  EXPECT_FALSE(wants_colours("auto", true, "", "")) << "TERM is not set";
  EXPECT_TRUE(wants_colours("always", false, "1", ""));
  EXPECT_FALSE(wants_colours("never", true, "", "xterm"));
}

}  // namespace
}  // namespace radosload::cli
