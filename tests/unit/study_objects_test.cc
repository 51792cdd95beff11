// How many objects are in a pool at the fullest moment of a study.

#include <utility>

#include <gtest/gtest.h>

#include "study/objects_at_once.h"
#include "unit/study_support.h"

namespace radosload::study {
namespace {

CellObjects thousand_objects(std::string kind) {
  return {.pool = "p", .kind = std::move(kind), .objects = 1000, .fits = 4000};
}

// Two arms of two OSDs each, in three rounds under two loads.
struct TwoLoads {
  StudyPlan plan = plan_of_test();
  std::vector<ArmUnits> units = units_of_test();
  StudyObjects objects;

  explicit TwoLoads(const CellObjects& first, const CellObjects& second)
      : objects(2, {first, second}) {
    plan.order = Order::listed;
    plan.works.push_back({.what = Work::What::pattern, .name = "r", .words = {"randread4k"}});
  }
  ObjectsAtOnce most() const {
    const auto cells = schedule(plan, units, plan.seed).value();
    return most_objects_at_once(plan, cells, objects).at("p");
  }
};

TEST(ObjectsAtOnce, LoadsThatCanShareThemCountOnce) {
  const TwoLoads study(thousand_objects("a"), thousand_objects("a"));
  EXPECT_EQ(study.most().objects, 4000U) << "those of four units, until the second load";
  EXPECT_EQ(study.most().fit, 4000U);
}

TEST(ObjectsAtOnce, ThoseThatNoLaterLoadCanUseAreRemovedUnlessRoundsKeepThem) {
  TwoLoads study(thousand_objects("a"), thousand_objects("b"));
  EXPECT_EQ(study.most().objects, 1000U);
  study.plan.keep_objects = true;
  EXPECT_EQ(study.most().objects, 8000U);
  EXPECT_EQ(study.most().fit, 4000U);
}

TEST(ObjectsAtOnce, OneLoadHasOneUnitsObjectsAtATime) {
  TwoLoads study(thousand_objects("a"), thousand_objects("a"));
  for (auto& of_arm : study.objects) of_arm[1].reset();
  EXPECT_EQ(study.most().objects, 1000U);
  study.plan.keep_objects = true;
  EXPECT_EQ(study.most().objects, 4000U);
}

TEST(ObjectsAtOnce, WhatIsGoneAfterItsCellCountsAlone) {
  CellObjects made = thousand_objects("a");
  made.shared = false;
  TwoLoads study(made, made);
  study.plan.keep_objects = true;
  EXPECT_EQ(study.most().objects, 1000U);
}

TEST(ObjectsAtOnce, LargeOnesCountForMore) {
  CellObjects large = thousand_objects("large");
  large.objects = 10;
  large.fits = 10;
  large.shared = false;
  TwoLoads study(large, thousand_objects("small"));
  study.plan.keep_objects = true;
  // Either fills the pool: 10 large ones of one unit at a time, and 4,000 kept ones of four.
  EXPECT_EQ(study.most().objects, 4010U);
  EXPECT_EQ(study.most().fit, 2005U);
}

TEST(ObjectsAtOnce, WithoutRoomNothingFits) {
  CellObjects none = thousand_objects("a");
  none.fits = 0;
  const TwoLoads study(none, none);
  EXPECT_GT(study.most().objects, study.most().fit);
}

}  // namespace
}  // namespace radosload::study
