#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "base/suggest.h"
#include "support/laws.h"

namespace radosload {
namespace {

TEST(Random, IsXoshiro256PlusPlus) {
  // Made with the authors' C reference (splitmix64.c seeding xoshiro256plusplus.c), seed 42.
  Random random(42);
  EXPECT_EQ(random.next(), 0xd0764d4f4476689fU);
  EXPECT_EQ(random.next(), 0x519e4174576f3791U);
  EXPECT_EQ(random.next(), 0xfbe07cfb0c24ed8cU);
}

TEST(Random, BelowIsUniformAlsoWhereTheBoundDoesNotDivideTheRange) {
  for (const std::uint64_t bound : {3U, 7U, 100U, 1000U}) {
    Random random(7, "test", bound);
    std::vector<std::uint64_t> counts(bound);
    for (int i = 0; i < 200'000; ++i) ++counts.at(random.below(bound));
    EXPECT_LE(workload::chi_square_excess(counts, std::vector<double>(bound, 1)), 1) << bound;
  }
}

TEST(Random, BelowIsUnbiasedForHugeBounds) {
  // With bound = 3/4 of 2^64, taking a plain product's upper half would give every third number a
  // double share; thirds of the range come out even only when biased draws are thrown away.
  const std::uint64_t bound = 3U * (std::uint64_t{1} << 62U);
  Random random(8);
  std::vector<std::uint64_t> by_rest(3);
  for (int i = 0; i < 300'000; ++i) ++by_rest.at(random.below(bound) % 3);
  EXPECT_LE(workload::chi_square_excess(by_rest, {1, 1, 1}), 1);
}

TEST(Random, UnitIsUniformAndPositiveUnitNeverZero) {
  Random random(9);
  std::vector<double> sample;
  for (int i = 0; i < 100'000; ++i) {
    sample.push_back(random.unit());
    const double positive = random.positive_unit();
    ASSERT_GT(positive, 0);
    ASSERT_LE(positive, 1);
  }
  EXPECT_LE(workload::kolmogorov_excess(sample, [](double x) { return x; }), 1);
}

RC_GTEST_PROP(Random, SplitSeedsDifferByPurposeAndByLane, (std::uint64_t seed)) {
  RC_ASSERT(split_seed(seed, "mix", 0) != split_seed(seed, "mix", 1));
  RC_ASSERT(split_seed(seed, "mix", 0) != split_seed(seed, "places", 0));
  RC_ASSERT(split_seed(seed, "mix", 1) != split_seed(seed + 1, "mix", 0));
  RC_ASSERT(split_seed(seed, "mix", 3) == split_seed(seed, "mix", 3));
}

RC_GTEST_PROP(Random, BelowStaysBelow, (std::uint64_t seed)) {
  const std::uint64_t bound = *rc::gen::suchThat<std::uint64_t>([](auto n) { return n > 0; });
  Random random(seed);
  for (int i = 0; i < 20; ++i) RC_ASSERT(random.below(bound) < bound);
}

TEST(Suggest, NearWordsAreFoundAndFarOnesAreNot) {
  constexpr std::array<std::string_view, 5> words = {"randrw4k", "randread4k", "read4k", "qd",
                                                     "bs"};
  EXPECT_EQ(nearest_word("randrw4", words), "randrw4k");
  EXPECT_EQ(nearest_word("rnadrw4k", words), "randrw4k");
  EXPECT_EQ(nearest_word("raed4k", words), "read4k");
  EXPECT_EQ(nearest_word("dq", words), "qd");
  EXPECT_EQ(nearest_word("qb", words), "qd");
  EXPECT_EQ(nearest_word("nonsense", words), "");
  EXPECT_EQ(nearest_word("", words), "");
  EXPECT_EQ(nearest_word("randr", words), "") << "two words begin with it";
  EXPECT_EQ(nearest_word("rea", words), "read4k");
}

TEST(Suggest, SentencesNameTheWords) {
  constexpr std::array<std::string_view, 3> words = {"rados", "rbd", "sim"};
  EXPECT_EQ(did_you_mean("simm", words), "did you mean sim?");
  EXPECT_EQ(did_you_mean("elsewhere", words), "");
  EXPECT_EQ(one_of(words), "rados, rbd or sim");
  EXPECT_EQ(values_hint("simm", words), "did you mean sim? Write rados, rbd or sim");
  EXPECT_EQ(values_hint("elsewhere", words), "write rados, rbd or sim");
}

}  // namespace
}  // namespace radosload
