// Whether a run's PGs stay where they are, as the mons tell it; the mons are scripted.
#include <map>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "watch/map_guard.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::watch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A map that the test changes.
struct Map {
  int epoch = 10;
  std::map<std::string, std::string> acting = {{"a", "3,1,2"}, {"b", "1,2,3"}};
  bool silent = false;
  int answers = 1'000'000;  // and then none

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
    if (m_map.answers == 0) return fail({.attempt = "ask", .reason = "nobody answers any more"});
    --m_map.answers;
    if (command.find("osd stat") != std::string::npos) {
      return fmt::format(R"({{"epoch":{}}})", m_map.epoch);
    }
    const std::string object = nlohmann::json::parse(command)["object"];
    const std::string set = m_map.acting.at(object);
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
  std::shared_ptr<ObjectPlacement> locations = std::make_shared<ObjectPlacement>(
      std::vector<std::uint64_t>{}, std::vector<std::uint32_t>{0, 0x1f}, 32);
  MapGuard guard;

  explicit Guarded(bool pinned = false)
      : guard(std::make_unique<Mons>(map),
              {.pool = "hdd",
               .pool_id = 2,
               .nspace = "radosload",
               .object_in = {{0, "a"}, {0x1f, "b"}},
               .pinned = pinned},
              locations) {
    locations->move(0, 3);
    locations->move(0x1f, 1);
  }
  std::vector<std::string> asked() {
    guard.ask();
    return guard.poll();
  }
};

TEST(MapGuard, NothingMoves_NothingIsReported) {
  Guarded run;
  EXPECT_THAT(run.asked(), IsEmpty());
  EXPECT_THAT(run.asked(), IsEmpty());
  EXPECT_EQ(run.guard.grade().value, record::GradeValue::unwatched);
  EXPECT_EQ(run.locations->osd_of(0), 3);
}

TEST(MapGuard, MovedPg_LocationIsUpdated) {
  Guarded run;
  run.asked();
  run.map.move("b", "2,1,3");
  EXPECT_THAT(run.asked(), ElementsAre("PG 2.1f moved from 1,2,3 to 2,1,3 (map 11)"));
  EXPECT_EQ(run.locations->osd_of(0x1f), 2) << "operations sent from now on are another OSD's";
  EXPECT_EQ(run.locations->osd_of(0), 3);
  const auto grade = run.guard.grade();
  EXPECT_EQ(grade.value, record::GradeValue::contaminated);
  EXPECT_THAT(grade.reasons, ElementsAre(HasSubstr("1 of the 2 PGs")));
}

TEST(MapGuard, PgWithoutAnyOsd_IsReported) {
  Guarded run;
  run.asked();
  run.map.move("b", "");
  EXPECT_THAT(run.asked(), ElementsAre("PG 2.1f moved from 1,2,3 to no OSD (map 11)"));
  EXPECT_EQ(run.locations->osd_of(0x1f), -1);
  run.map.move("b", "1,2,3");
  EXPECT_THAT(run.asked(), ElementsAre("PG 2.1f moved from no OSD to 1,2,3 (map 12)"));
}

TEST(MapGuard, MgrOutOfDate_PlacesOfTheMonsCountFromTheStart) {
  Guarded run(true);
  run.locations->move(0, 7);
  EXPECT_THAT(run.asked(), ElementsAre("PG 2.0 moved from 7 to 3,1,2 (map 10)"));
  EXPECT_EQ(run.locations->osd_of(0), 3);
  EXPECT_THAT(run.guard.moved(), ElementsAre(0U));
  EXPECT_EQ(run.guard.grade().value, record::GradeValue::void_run);
}

TEST(MapGuard, NewMapWithoutMoves_IsNotReported) {
  Guarded run;
  run.asked();
  run.map.move("a", "3,1,2");
  EXPECT_THAT(run.asked(), IsEmpty());
}

TEST(MapGuard, PgMoves_PinnedRunIsVoid) {
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
  EXPECT_THAT(run.guard.unwatched(), HasSubstr("whether PGs moved after osdmap 10 is unknown"));
  run.map.silent = false;
  run.map.move("a", "1,3,2");
  EXPECT_THAT(run.asked(), ElementsAre(HasSubstr("2.0 moved")));
  EXPECT_EQ(run.guard.unwatched(), "");
}

// A pool of many PGs, all on the same OSDs.
struct ManyPgs {
  static constexpr std::uint32_t count = 3 * MapGuard::turn_size + 5;

  Map map;
  std::shared_ptr<ObjectPlacement> locations;
  std::unique_ptr<MapGuard> guard;

  ManyPgs() {
    GuardedPgs pgs{.pool = "hdd", .pool_id = 2, .nspace = "", .object_in = {}};
    std::vector<std::uint32_t> all(count);
    for (std::uint32_t pg = 0; pg < count; ++pg) {
      all[pg] = pg;
      pgs.object_in[pg] = object(pg);
      map.acting[object(pg)] = "3,1,2";
    }
    locations = std::make_shared<ObjectPlacement>(std::vector<std::uint64_t>{}, all, count);
    for (const std::uint32_t pg : all) locations->move(pg, 3);
    guard = std::make_unique<MapGuard>(std::make_unique<Mons>(map), pgs, locations);
  }
  static std::string object(std::uint32_t pg) { return "o" + std::to_string(pg); }
};

TEST(MapGuard, ManyPgs_AreCheckedInTurns) {
  ManyPgs pool;
  for (int i = 0; i < 4; ++i) pool.guard->ask();
  EXPECT_EQ(pool.guard->unwatched(), "");
  pool.map.move(ManyPgs::object(ManyPgs::count - 1), "1,2,3");
  for (int i = 0; i < 3; ++i) {
    pool.guard->ask();
    EXPECT_THAT(pool.guard->poll(), IsEmpty()) << i;
  }
  EXPECT_THAT(pool.guard->unwatched(),
              HasSubstr("5 of the 3077 PGs of the run were not checked after osdmap 11"));
  pool.guard->ask();
  EXPECT_THAT(pool.guard->poll(), ElementsAre(HasSubstr("moved from 3,1,2 to 1,2,3")));
  EXPECT_EQ(pool.locations->osd_of(ManyPgs::count - 1), 1);
  EXPECT_EQ(pool.guard->unwatched(), "");
}

TEST(MapGuard, MoveOfAnAlreadyCheckedPg_IsFoundInTheNextRound) {
  ManyPgs pool;
  pool.guard->ask();
  pool.map.move(ManyPgs::object(0), "1,2,3");
  for (int i = 0; i < 3; ++i) pool.guard->ask();
  EXPECT_THAT(pool.guard->poll(), IsEmpty());
  pool.guard->ask();
  EXPECT_THAT(pool.guard->poll(), ElementsAre(HasSubstr("PG 2.0 moved")));
}

TEST(MapGuard, AtTheEndTheRestIsAskedAtOnce) {
  ManyPgs pool;
  pool.guard->ask_rest();
  EXPECT_EQ(pool.guard->unwatched(), "");
  pool.map.move(ManyPgs::object(ManyPgs::count - 1), "1,2,3");
  pool.guard->ask_rest();
  EXPECT_THAT(pool.guard->poll(), ElementsAre(HasSubstr("moved from 3,1,2 to 1,2,3")));
}

TEST(MapGuard, MonsStopAnswering_EarlierAnswersAreKept) {
  Guarded run;
  run.asked();
  run.map.move("a", "1,3,2");
  run.map.answers = 2;  // the map's number, and where the first PG is
  EXPECT_THAT(run.asked(), ElementsAre(HasSubstr("2.0 moved")));
  EXPECT_THAT(run.guard.unwatched(), HasSubstr("1 of the 2 PGs"));
  run.map.answers = 100;
  EXPECT_THAT(run.asked(), IsEmpty());
  EXPECT_EQ(run.guard.unwatched(), "");
}

}  // namespace
}  // namespace radosload::watch
