#include <map>
#include <set>

#include <gtest/gtest.h>

#include "plan/rounds.h"

namespace radosload::plan {
namespace {

Step single(std::uint64_t seed) {
  Request request;
  request.plan.pool = "hdd";
  request.plan.seed = seed;
  request.pattern = "randread4k";
  return expand(request)->steps.front();
}

std::vector<std::vector<std::string>> rounds_of(const Steps& steps) {
  std::map<std::string, std::vector<std::string>> rounds;
  for (const Step& step : steps.steps)
    rounds[step.settings[0].value].push_back(step.plan.pins.osds);
  std::vector<std::vector<std::string>> all;
  for (auto& [round, osds] : rounds) all.push_back(osds);
  return all;
}

const std::vector<std::int32_t> osds = {0, 3, 6, 7, 12, 40};

TEST(Rounds, EachVisitsEveryOsdOnce) {
  const auto steps = one_at_a_time(single(7), "randread4k", osds, 5);
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->steps.size(), 30U);
  EXPECT_EQ(steps->suite, "each");
  for (const auto& round : rounds_of(*steps)) {
    EXPECT_EQ(std::set<std::string>(round.begin(), round.end()),
              (std::set<std::string>{"0", "3", "6", "7", "12", "40"}));
  }
}

TEST(Rounds, EachRound_HasAnOrderFromTheSeed) {
  const auto first = rounds_of(*one_at_a_time(single(7), "", osds, 4));
  EXPECT_EQ(first, rounds_of(*one_at_a_time(single(7), "", osds, 4)));
  EXPECT_NE(first, rounds_of(*one_at_a_time(single(8), "", osds, 4)));
  EXPECT_GT(std::set<std::vector<std::string>>(first.begin(), first.end()).size(), 1U);
}

TEST(Rounds, EveryOsdComesFirstAboutAsOften) {
  std::map<std::string, int> first;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    ++first[rounds_of(*one_at_a_time(single(seed), "", osds, 1))[0][0]];
  }
  // Of a binomial with 600 draws at 1/6 four standard deviations are 36.
  for (const auto& [osd, count] : first) EXPECT_NEAR(count, 100, 40) << osd;
}

TEST(Rounds, TooManyOrNoneAreRefused) {
  EXPECT_FALSE(one_at_a_time(single(1), "", osds, 0));
  EXPECT_FALSE(one_at_a_time(single(1), "", osds, 100000));
}

}  // namespace
}  // namespace radosload::plan
