// Pictures, colours and progress as a person or a log gets them.
#include <algorithm>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/process.h"

namespace radosload::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

class LookCli : public testing::Test {
 protected:
  Launch launch(Words words, const std::string& locale = "C.UTF-8") const {
    words.insert(words.begin(), radosload_path());
    return {.words = std::move(words),
            .env = {{"XDG_STATE_HOME", m_state.path().string()},
                    {"LC_ALL", locale},
                    {"TERM", "xterm"},
                    {"NO_COLOR", ""},
                    {"CEPH_CONF", ""},
                    {"CEPH_ARGS", ""}}};
  }
  // Some of its operations fail, so that there are errors to show.
  Launch measuring(const Words& more = {}, const std::string& locale = "C.UTF-8") const {
    Words words = {
        "--target",  "sim",      "--sim",  "latency=exp:1ms,osds=3,slow=2:50,error=EIO:0.1",
        "--pattern", "randrw4k", "--time", "3",
        "--seed",    "3"};
    words.insert(words.end(), more.begin(), more.end());
    return launch(std::move(words), locale);
  }

  TemporaryFolder m_state;
};

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char letter) { return static_cast<unsigned char>(letter) < 0x80U; });
}

TEST_F(LookCli, AUtf8Locale_GetsBlocks_AndAsciiOnRequest) {
  const Finished blocks = run(measuring({"--no-progress"}));
  EXPECT_EQ(blocks.status, flawed) << blocks.err;
  EXPECT_THAT(blocks.out, HasSubstr("█"));
  EXPECT_THAT(blocks.out, HasSubstr("  IOPS      "));
  const Finished again = run(launch({"report", "last", "--ascii"}));
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(is_ascii(again.out)) << again.out;
  EXPECT_THAT(again.out, HasSubstr("###"));
}

TEST_F(LookCli, AnyOtherLocale_GetsAscii) {
  EXPECT_TRUE(is_ascii(run(measuring({"--no-progress"}, "C")).out));
}

TEST_F(LookCli, PipesGetColoursOnlyOnRequest) {
  ASSERT_EQ(run(measuring({"--no-progress"})).status, flawed);
  const Finished piped = run(launch({"report", "last"}));
  EXPECT_THAT(piped.out, Not(HasSubstr("\x1b")));
  const Finished always = run(launch({"report", "last", "--color", "always"}));
  EXPECT_THAT(always.out, HasSubstr("\x1b[31merrors\x1b[0m"));
  const Finished json = run(launch({"report", "last", "--format", "json", "--color", "always"}));
  EXPECT_THAT(json.out, Not(HasSubstr("\x1b"))) << "JSON is not for people";
  EXPECT_EQ(run(launch({"report", "last", "--color", "sometimes"})).status, usage);
}

TEST_F(LookCli, ATerminalGetsColours_UnlessNoColorIsSet) {
  Launch wrong = launch({"report", "no-such-run"});
  wrong.err = Sink::terminal;
  EXPECT_THAT(run(wrong).err, HasSubstr("\x1b[31mradosload:\x1b[0m"));
  wrong.env["NO_COLOR"] = "1";
  EXPECT_THAT(run(wrong).err, Not(HasSubstr("\x1b[31m")));
}

TEST_F(LookCli, ATerminalShowsTheLastSecondsAndTheSlowestOsd) {
  Launch given = measuring();
  given.err = Sink::terminal;
  const Finished done = run(given);
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.err, HasSubstr("  IOPS      "));
  EXPECT_THAT(done.err, HasSubstr("  p99       "));
  EXPECT_THAT(done.err, HasSubstr("latency"));
  EXPECT_THAT(done.err, HasSubstr("median OSD"));
}

TEST_F(LookCli, WithoutATerminal_ShortPhaseHasOneLineAndShortDrainNone) {
  const Finished done = run(measuring({"--warmup", "1"}));
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.err, HasSubstr("Cur ops"));
  EXPECT_THAT(done.err, HasSubstr("warm-up: started\n"));
  EXPECT_THAT(done.err, Not(HasSubstr("elapsed")));
  EXPECT_THAT(done.err, Not(HasSubstr("drain")));
}

}  // namespace
}  // namespace radosload::test
