#include <cerrno>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "record/figures_by_osd.h"

namespace radosload::record {
namespace {

using Entries = std::vector<std::pair<std::int32_t, Figures>>;

rc::Gen<Figures> figures() {
  return rc::gen::exec([] {
    const auto count = [] {
      return *rc::gen::arbitrary<std::uint64_t>() >> *rc::gen::inRange(0, 64);
    };
    const auto time = [&] { return Time(static_cast<Time::rep>(count())); };
    Figures one{.ops = count(),
                .bytes = count(),
                .timed = 0,
                .errors = {},
                .mean = time(),
                .mean_service = {},
                .max = time(),
                .p50 = {},
                .p99 = {}};
    one.timed = *rc::gen::arbitrary<bool>() ? one.ops : count();
    one.mean_service = *rc::gen::arbitrary<bool>() ? one.mean : time();
    if (*rc::gen::arbitrary<bool>()) one.p50 = time();
    if (*rc::gen::arbitrary<bool>()) one.p99 = time();
    if (*rc::gen::arbitrary<bool>()) one.errors = {{-EIO, count()}, {-ENOENT, 1}};
    return one;
  });
}

rc::Gen<Entries> entries() {
  return rc::gen::container<Entries>(rc::gen::pair(rc::gen::inRange(-1, 40), figures()));
}

Entries contents(const FiguresByOsd& osds) {
  return {osds.begin(), osds.end()};
}

FiguresByOsd filled(const Entries& entries) {
  FiguresByOsd osds;
  for (const auto& [osd, one] : entries) osds.set(osd, one);
  return osds;
}

RC_GTEST_PROP(FiguresByOsd, KeepsWhatAMapKeeps, ()) {
  const Entries given = *entries();
  std::map<std::int32_t, Figures> expected;
  for (const auto& [osd, one] : given) expected[osd] = one;
  const FiguresByOsd osds = filled(given);
  RC_ASSERT(contents(osds) == Entries(expected.begin(), expected.end()));
  RC_ASSERT(osds.size() == expected.size());
  RC_ASSERT(osds.empty() == expected.empty());
  RC_ASSERT(osds == filled({expected.begin(), expected.end()}));
}

TEST(FiguresByOsd, KeepsTheExtremes) {
  Figures one;
  one.ops = one.bytes = one.timed = std::numeric_limits<std::uint64_t>::max();
  one.mean = one.max = Time::max();
  one.mean_service = Time::min();
  one.p50 = Time::min();
  one.p99 = Time(-1);
  const Entries given = {{-1, one}, {0, {}}, {std::numeric_limits<std::int32_t>::max(), one}};
  EXPECT_EQ(contents(filled(given)), given);
}

Figures with(std::uint64_t failed, Time mean) {
  Figures one;
  one.mean = mean;
  if (failed > 0) one.errors = {{-EIO, failed}};
  return one;
}

TEST(FiguresByOsd, TheWorstAreThoseThatFailMost_ThenTheSlowest) {
  const Entries given = {{1, with(0, Time(5))},
                         {2, with(0, Time(9))},
                         {3, with(2, Time(1))},
                         {4, with(1, Time(1))},
                         {5, with(0, Time(7))}};
  FiguresByOsd osds = filled(given);
  osds.keep_worst(5);
  EXPECT_EQ(contents(osds), given);
  osds.keep_worst(3);
  EXPECT_EQ(contents(osds), (Entries{given[1], given[2], given[3]}));
  osds.set(9, with(0, Time(1)));
  EXPECT_EQ(osds.size(), 4U);
}

}  // namespace
}  // namespace radosload::record
