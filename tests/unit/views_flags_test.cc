// What `cleanup --flags` shows: OSD, owner and age, and how it is known whether the owner still
// runs.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "base/wall_clock.h"
#include "views/timers_text.h"

#include <nlohmann/json.hpp>

namespace radosload::views {
namespace {

using footprint::Fate;
using footprint::FlagRemoved;
using footprint::OwnerState;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const Time flags_now = *base::parse_moment("2026-11-24T17:16:19Z");

FlagRemoved flag(Fate fate, OwnerState owner) {
  FlagRemoved one{
      .found = {.osd = 3}, .fate = fate, .detail = "set by pid 4711 on node1", .owner = owner};
  one.found.note.since = "2026-11-24T17:04:16Z";
  one.found.note.owner.host = "node1";
  one.found.note.owner.pid = 4711;
  return one;
}

TEST(FlagsView, ShowsOsdOwnerAndAgeAndHowItIsKnownThatTheOwnerHasEnded) {
  const std::string text = flags_text({flag(Fate::would, OwnerState::gone)}, flags_now);
  EXPECT_THAT(text,
              AllOf(HasSubstr("noout of osd.3: would be removed"),
                    HasSubstr("pid 4711 on node1 (12 m 3 s ago)"),
                    HasSubstr("this machine has no such process"), Not(HasSubstr("--force"))));
}

TEST(FlagsView, KeptFlags_HaveTheReasonAndForceIsOnlyForUncheckableProcesses) {
  EXPECT_THAT(flags_text({flag(Fate::held, OwnerState::runs)}, flags_now),
              AllOf(HasSubstr("left alone"), HasSubstr("runs on this machine"),
                    HasSubstr("removes its own flag"), Not(HasSubstr("--force"))));
  EXPECT_THAT(flags_text({flag(Fate::held, OwnerState::unknown)}, flags_now),
              AllOf(HasSubstr("cannot be checked from this machine"), HasSubstr("--force")));
}

TEST(FlagsView, JsonHasAgeAndProcessAndClocksThatDifferGiveNoNegativeAge) {
  auto one = json::parse(flags_json({flag(Fate::held, OwnerState::unknown)}, true, flags_now));
  EXPECT_EQ(one["flags"][0]["age_s"], 723.0);
  EXPECT_EQ(one["flags"][0]["process"], "unknown");
  EXPECT_EQ(one["flags"][0]["fate"], "held");
  one = json::parse(flags_json({flag(Fate::removed, OwnerState::gone)}, false,
                               flags_now - std::chrono::hours(1)));
  EXPECT_EQ(one["flags"][0]["age_s"], 0.0);
}

TEST(FlagsView, HostileNote_IsEscapedInItsLine) {
  FlagRemoved one = flag(Fate::held, OwnerState::unknown);
  one.detail = "set by pid 1 on x\nnoout of osd.9: removed\x1b[2J";
  one.found.note.since = "yesterday";
  const std::string text = flags_text({one}, flags_now);
  EXPECT_THAT(text, AllOf(Not(HasSubstr("\nnoout of osd.9")), Not(HasSubstr("\x1b")),
                          Not(HasSubstr(" ago"))));
}

}  // namespace
}  // namespace radosload::views
