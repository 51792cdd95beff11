// Completion as the build leaves it: each shell's file exists, and a shell that is installed parses
// it and offers what is declared.

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/files.h"
#include "support/places.h"
#include "support/process.h"

namespace radosload::test {
namespace {

using testing::HasSubstr;

std::string page(const std::string& name) {
  return in_build("pages/" + name);
}

bool is_installed(const std::string& shell) {
  return run({.words = {"sh", "-c", "command -v " + shell}}).status == 0;
}

void expect_parsed(const std::string& shell, const std::string& file) {
  const Finished done = run({.words = {shell, "-n", page(file)}});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.err, "");
}

TEST(CompletionFiles, BashFile_IsParsed) {
  const Finished done = run({.words = {"bash", "-n", page("radosload.bash")}});
  EXPECT_EQ(done.status, 0) << done.err;
}

TEST(CompletionFiles, ZshFile_HasCommandsOptionsAndPatterns) {
  const std::string text = read_file(page("radosload.zsh"));
  EXPECT_THAT(text, testing::StartsWith("#compdef radosload\n"));
  for (const char* const part :
       {"'status:", "'(-p --pool)--pool=[", "'randrw4k:", "bs= ", "_radosload_runs", "_files -/"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  if (is_installed("zsh")) expect_parsed("zsh", "radosload.zsh");
}

TEST(CompletionFiles, FishFile_HasCommandsOptionsAndPatterns) {
  const std::string text = read_file(page("radosload.fish"));
  for (const char* const part :
       {"-a status -d ", "-s p -l pool -x", "randrw4k", "-a 'text json", "__radosload_runs"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  if (!is_installed("fish")) return;
  expect_parsed("fish", "radosload.fish");
  const Finished offered =
      run({.words = {"fish", "--no-config", "-c", "source $argv[1]; complete -C 'radosload st'",
                     page("radosload.fish")}});
  EXPECT_THAT(offered.out, HasSubstr("status\t"));
}

}  // namespace
}  // namespace radosload::test
