// Whether a run's PGs stay where they are, as the mons tell it; the mons are scripted.
#include <map>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "run/map_guard.h"

#include <fmt/format.h>

namespace radosload::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A map that the test changes.
struct Map {
  int epoch = 10;
  std::map<std::string, std::string> acting = {{"a", "3,1,2"}, {"b", "1,2,3"}};
  bool silent = false;

  void move(const std::string& object, const std::string& to) {
    ++epoch;
    acting[object] = to;
  }
};

class Mons final : public AdminCommands {
 public:
  explicit Mons(Map& map) : m_map(map) {}
  Result<std::string> mon(const std::string& command) override {
    if (m_map.silent) return fail({.attempt = "ask", .reason = "nobody answers"});
    if (command.find("osd stat") != std::string::npos) {
      return fmt::format(R"({{"epoch":{}}})", m_map.epoch);
    }
    const std::string set =
        m_map.acting.at(command.find(R"("object":"a")") != std::string::npos ? "a" : "b");
    return fmt::format(R"({{"epoch":{},"acting":[{}],"acting_primary":{}}})", m_map.epoch, set,
                       set.empty() ? "-1" : set.substr(0, 1));
  }
  Result<std::string> mgr(const std::string&) override { return fail({}); }
  Result<std::string> osd(int, const std::string&) override { return fail({}); }

 private:
  Map& m_map;
};

struct Guarded {
  Map map;
  std::shared_ptr<Homes> homes = std::make_shared<Homes>(std::vector<std::uint64_t>{},
                                                         std::vector<std::uint32_t>{0, 0x1f}, 32);
  MapGuard guard;

  explicit Guarded(bool pinned = false)
      : guard(std::make_unique<Mons>(map),
              {.pool = "hdd",
               .pool_id = 2,
               .nspace = "radosload",
               .object_in = {{0, "a"}, {0x1f, "b"}},
               .pinned = pinned},
              homes) {
    homes->move(0, 3);
    homes->move(0x1f, 1);
  }
  std::vector<std::string> asked() {
    guard.ask();
    return guard.look();
  }
};

TEST(MapGuard, SaysNothingAsLongAsNothingMoves) {
  Guarded run;
  EXPECT_THAT(run.asked(), IsEmpty());
  EXPECT_THAT(run.asked(), IsEmpty());
  EXPECT_EQ(run.guard.grade().value, record::GradeValue::unwatched);
  EXPECT_EQ(run.homes->osd_of(0), 3);
}

TEST(MapGuard, FollowsWhatMoves) {
  Guarded run;
  run.asked();
  run.map.move("b", "2,1,3");
  EXPECT_THAT(run.asked(), ElementsAre("PG 2.1f moved from 1,2,3 to 2,1,3 (map 11)"));
  EXPECT_EQ(run.homes->osd_of(0x1f), 2) << "operations sent from now on are another OSD's";
  EXPECT_EQ(run.homes->osd_of(0), 3);
  const auto grade = run.guard.grade();
  EXPECT_EQ(grade.value, record::GradeValue::contaminated);
  EXPECT_THAT(grade.reasons, ElementsAre(HasSubstr("1 of the 2 PGs")));
}

TEST(MapGuard, APgWithoutAnyOsdIsSaidInWords) {
  Guarded run;
  run.asked();
  run.map.move("b", "");
  EXPECT_THAT(run.asked(), ElementsAre("PG 2.1f moved from 1,2,3 to no OSD (map 11)"));
  EXPECT_EQ(run.homes->osd_of(0x1f), -1);
  run.map.move("b", "1,2,3");
  EXPECT_THAT(run.asked(), ElementsAre("PG 2.1f moved from no OSD to 1,2,3 (map 12)"));
}

TEST(MapGuard, WhereTheManagerLaggedTheMonsAreRightFromTheStart) {
  Guarded run(true);
  run.homes->move(0, 7);
  EXPECT_THAT(run.asked(), ElementsAre("PG 2.0 moved from 7 to 3,1,2 (map 10)"));
  EXPECT_EQ(run.homes->osd_of(0), 3);
  EXPECT_THAT(run.guard.moved(), ElementsAre(0U));
  EXPECT_EQ(run.guard.grade().value, record::GradeValue::void_run);
}

TEST(MapGuard, ANewMapInWhichTheyStayIsNothing) {
  Guarded run;
  run.asked();
  run.map.move("a", "3,1,2");
  EXPECT_THAT(run.asked(), IsEmpty());
}

TEST(MapGuard, APinnedRunIsVoidThen) {
  Guarded run(true);
  run.asked();
  run.map.move("a", "1,3,2");
  run.asked();
  EXPECT_EQ(run.guard.grade().value, record::GradeValue::void_run);
}

TEST(MapGuard, MonsThatDoNotAnswerAreAskedAgain) {
  Guarded run;
  run.asked();
  run.map.silent = true;
  EXPECT_THAT(run.asked(), IsEmpty());
  run.map.silent = false;
  run.map.move("a", "1,3,2");
  EXPECT_THAT(run.asked(), ElementsAre(HasSubstr("2.0 moved")));
}

}  // namespace
}  // namespace radosload::run
