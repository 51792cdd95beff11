#include <cmath>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plan/patterns.h"
#include "support/laws.h"
#include "workload/stream.h"

namespace radosload::workload {
namespace {

struct Made {
  Pattern pattern;
  Layout layout;

  Stream stream(std::uint64_t seed, std::uint32_t lane = 0, std::uint32_t lanes = 1) const {
    return {pattern, layout, seed, lane, lanes};
  }
};

Made make(std::string_view text, const PoolTraits& pool = {}) {
  Made made;
  made.pattern = plan::parse_pattern(text).value();
  made.layout = lay_out(made.pattern, pool).value();
  return made;
}

// The number of the block an operation touches, in the order of objects and offsets.
std::uint64_t block_of(const Made& made, const Op& op) {
  return op.object * made.layout.blocks_per_object + op.offset / made.layout.block.count;
}

using Signature = std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, OpKind>>;
Signature take(Stream stream, int count) {
  Signature ops;
  for (int i = 0; i < count; ++i) {
    const Op op = stream.next();
    ops.emplace_back(op.object, op.offset, op.length, op.kind);
  }
  return ops;
}

TEST(Stream, ShareOfReads_IsTheRequestedOne) {
  constexpr int count = 1'000'000;
  for (const double percent : {0.0, 0.1, 25.0, 50.0, 75.0, 99.9, 100.0}) {
    const Made made = make("rand,read=" + std::to_string(percent));
    Stream stream = made.stream(1);
    std::uint64_t reads = 0;
    for (int i = 0; i < count; ++i) reads += stream.next().kind == OpKind::read;
    const double p = percent / 100;
    // Four standard deviations of a binomial; exact at 0 and 100.
    EXPECT_LE(std::abs(static_cast<double>(reads) - p * count), 4 * std::sqrt(p * (1 - p) * count))
        << percent;
  }
}

TEST(Stream, ReadsAndWrites_AreInRandomOrder) {
  // Runs of one kind are geometric, as those of a coin are: neither every fourth nor in bursts.
  Stream stream = make("rand,read=50").stream(2);
  std::vector<std::uint64_t> runs(12);
  std::size_t length = 1;
  OpKind last = stream.next().kind;
  for (int i = 0; i < 400'000; ++i) {
    const OpKind kind = stream.next().kind;
    if (kind == last) {
      ++length;
      continue;
    }
    if (length < runs.size()) ++runs[length];
    length = 1;
    last = kind;
  }
  std::vector<double> weights(runs.size());
  for (std::size_t n = 1; n < weights.size(); ++n) weights[n] = std::ldexp(1, -static_cast<int>(n));
  EXPECT_LE(chi_square_excess(runs, weights), 1);
}

TEST(Stream, AnotherShareOfReadsLeavesThePlacesAsTheyWere) {
  Stream all = make("rand,read=100").stream(3);
  Stream half = make("rand,read=50").stream(3);
  for (int i = 0; i < 1000; ++i) {
    const Op a = all.next();
    const Op b = half.next();
    ASSERT_EQ(a.object, b.object);
    ASSERT_EQ(a.offset, b.offset);
  }
}

TEST(Stream, Uniform_GivesEveryBlockTheSameFrequency) {
  const Made made = make("randread4k,object-size=40k,size=1200k");  // 30 objects of 10 blocks
  Stream stream = made.stream(4);
  std::vector<std::uint64_t> counts(made.layout.blocks());
  ASSERT_EQ(counts.size(), 300U);
  for (int i = 0; i < 300'000; ++i) ++counts.at(block_of(made, stream.next()));
  EXPECT_LE(chi_square_excess(counts, std::vector<double>(counts.size(), 1)), 1);
}

TEST(Stream, Zipf_GivesRanksTheirFrequencies) {
  for (const double theta : {0.5, 0.99, 1.0, 1.1, 2.0}) {
    const Made made =
        make("randread4k,object-size=40k,size=1200k,dist=zipf:" + std::to_string(theta));
    Stream stream = made.stream(5);
    std::vector<std::uint64_t> counts(made.layout.blocks());
    for (int i = 0; i < 500'000; ++i) ++counts.at(block_of(made, stream.next()));
    // Blocks are shuffled; in the order of the shuffle the counts must follow the law.
    const Scramble scramble(made.layout.blocks(), split_seed(5, "hot blocks"));
    std::vector<std::uint64_t> by_rank;
    std::vector<double> weights;
    for (std::uint64_t rank = 0; rank < counts.size(); ++rank) {
      by_rank.push_back(counts.at(scramble(rank)));
      weights.push_back(std::pow(static_cast<double>(rank + 1), -theta));
    }
    EXPECT_LE(chi_square_excess(by_rank, weights), 1) << theta;
  }
}

TEST(Stream, HotBlocksAreSpreadOverObjectsAndTheSameForAllLanes) {
  const Made made = make("randread4k,dist=zipf:1.2,size=256M");  // 64 objects
  std::map<std::uint64_t, int> hits;
  for (std::uint32_t lane = 0; lane < 4; ++lane) {
    Stream stream = made.stream(6, lane, 4);
    for (int i = 0; i < 50'000; ++i) ++hits[block_of(made, stream.next())];
  }
  std::vector<std::pair<int, std::uint64_t>> hottest;
  for (const auto& [block, count] : hits) hottest.emplace_back(count, block);
  std::sort(hottest.rbegin(), hottest.rend());
  // zeta(1.2) over 65,536 blocks is about 5.05: the hottest block alone gets a fifth.
  EXPECT_NEAR(hottest.front().first / 200'000.0, 0.198, 0.01);
  std::set<std::uint64_t> objects;
  for (std::size_t i = 0; i < 20; ++i) {
    objects.insert(hottest.at(i).second / made.layout.blocks_per_object);
  }
  EXPECT_GE(objects.size(), 12U);  // 20 balls in 64 boxes fill 17.2 on average
}

TEST(Stream, SequentialCoversEveryBlockOncePerLapInOrder) {
  const Made made = make("seq,read=0,bs=2300,object-size=10k,size=70k");  // 7 objects of 4 blocks
  ASSERT_EQ(made.layout.blocks(), 28U);
  Stream stream = made.stream(7);
  for (std::uint64_t i = 0; i < 3 * 28; ++i) {
    const Op op = stream.next();
    EXPECT_EQ(block_of(made, op), i % 28);
    EXPECT_EQ(op.length, 2300U);
  }
}

RC_GTEST_PROP(Stream, SequentialLanes_DivideTheWorkingSet, ()) {
  Made made;
  made.pattern = plan::parse_pattern("seq").value();
  made.pattern.object_size = Bytes{*rc::gen::inRange<std::uint64_t>(4096, 50'000)};
  made.pattern.working_set = Bytes{*rc::gen::inRange<std::uint64_t>(50'000, 400'000)};
  const auto lanes = *rc::gen::inRange<std::uint32_t>(1, 10);
  made.layout = lay_out(made.pattern, {}, lanes).value();
  std::multiset<std::uint64_t> seen;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    Stream stream = made.stream(8, lane, lanes);
    const Share share = share_of(made.layout.blocks(), lane, lanes);
    for (std::uint64_t i = share.begin; i < share.end; ++i) {
      const Op op = stream.next();
      RC_ASSERT(block_of(made, op) == i);
      seen.insert(i);
    }
    RC_ASSERT(block_of(made, stream.next()) == share.begin);
  }
  RC_ASSERT(seen.size() == made.layout.blocks());
  RC_ASSERT(std::set(seen.begin(), seen.end()).size() == made.layout.blocks());
}

RC_GTEST_PROP(Stream, NoOperationLeavesItsObject, (std::uint64_t seed)) {
  const auto text = *rc::gen::element<std::string>(
      "rand", "seq", "rand,dist=zipf", "rand,bs=2300", "seq,bs=5000,object-size=64k,size=1M",
      "rand,dist=zipf:1.5,bs=3000,object-size=10000,size=1M", "radosbench-rand", "omap-get",
      "omap-set,bs=100,object-size=1050,size=1M");
  const Made made = make(text);
  Stream stream = made.stream(seed);
  for (int i = 0; i < 100; ++i) {
    const Op op = stream.next();
    RC_ASSERT(op.object < made.layout.objects);
    RC_ASSERT(op.offset + op.length <= made.layout.object_size.count);
    RC_ASSERT(op.offset % made.layout.block.count == 0);
    RC_ASSERT(op.length == made.layout.block.count);
  }
}

TEST(Stream, TheSameSeedGivesTheSameOperationsAndAnotherDoesNot) {
  for (const char* text : {"randrw4k", "rand,dist=zipf", "omap-get", "stat"}) {
    const Made made = make(text);
    EXPECT_EQ(take(made.stream(9), 500), take(made.stream(9), 500)) << text;
    EXPECT_NE(take(made.stream(9), 500), take(made.stream(10), 500)) << text;
  }
}

TEST(Stream, LanesAreIndependent) {
  // Were they shifted copies or correlated, pairs drawn at the same time would not fill the square.
  const Made made = make("randread4k,object-size=4k,size=40k");  // 10 objects
  Stream a = made.stream(11, 0, 2);
  Stream b = made.stream(11, 1, 2);
  std::vector<std::uint64_t> pairs(100);
  for (int i = 0; i < 100'000; ++i) ++pairs.at(a.next().object * 10 + b.next().object);
  EXPECT_LE(chi_square_excess(pairs, std::vector<double>(100, 1)), 1);
}

TEST(Stream, WholeObjectPatternsMoveWholeObjects) {
  for (const char* text : {"radosbench-write", "radosbench-seq", "radosbench-rand"}) {
    const Made made = make(text);
    Stream stream = made.stream(12);
    for (int i = 0; i < 300; ++i) {
      const Op op = stream.next();
      ASSERT_EQ(op.offset, 0U);
      ASSERT_EQ(op.length, mib(4).count);
      ASSERT_EQ(op.kind, made.pattern.reads_data() ? OpKind::read : OpKind::write);
    }
  }
}

TEST(Stream, CreateAndDeleteTakeEachObjectOnceAndEnd) {
  for (const char* text : {"create,objects=103", "delete,objects=103"}) {
    const Made made = make(text);
    std::set<std::uint64_t> seen;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      Stream stream = made.stream(13, lane, 4);
      while (!stream.exhausted()) {
        const Op op = stream.next();
        EXPECT_EQ(op.object % 4, lane);
        EXPECT_EQ(op.length, 0U);
        EXPECT_EQ(op.kind, *made.pattern.metadata);
        EXPECT_TRUE(seen.insert(op.object).second) << op.object;
      }
    }
    EXPECT_EQ(seen.size(), 103U);
    EXPECT_EQ(*seen.rbegin(), 102U);
  }
}

TEST(Stream, EndlessPatternsAreNeverExhausted) {
  for (const char* text : {"rand", "seq", "stat", "list", "omap-set"}) {
    Stream stream = make(text).stream(14);
    for (int i = 0; i < 1000; ++i) stream.next();
    EXPECT_FALSE(stream.exhausted()) << text;
  }
}

TEST(Stream, List_UsesOneSliceAfterTheOther) {
  const Made made = make("list,objects=2000");
  Stream stream = made.stream(15);
  for (std::uint64_t i = 0; i < 8; ++i) {
    const Op op = stream.next();
    EXPECT_EQ(op.kind, OpKind::list);
    EXPECT_EQ(op.object, i % 4);
    EXPECT_EQ(op.offset, 4U);
  }
}

// What each of so many lanes touches.
std::vector<std::set<std::uint64_t>> touched(const Made& made, std::uint32_t lanes) {
  std::vector<std::set<std::uint64_t>> all;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    Stream stream = made.stream(3, lane, lanes);
    all.emplace_back();
    for (int i = 0; i < 20000 && !stream.exhausted(); ++i) all.back().insert(stream.next().object);
  }
  return all;
}

std::set<std::uint64_t> range(std::uint64_t begin, std::uint64_t end) {
  std::set<std::uint64_t> all;
  for (; begin < end; ++begin) all.insert(begin);
  return all;
}

TEST(Stream, LanesKeepToTheObjectsOfTheirGroup) {
  for (const char* text : {"rand,size=64M,object-size=1M", "rand,size=64M,object-size=1M,dist=zipf",
                           "seq,size=64M,object-size=1M", "create,objects=64"}) {
    SCOPED_TRACE(text);
    Made made = make(text);
    made.layout.groups = 4;
    const auto four = touched(made, 4);
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(four[i], range(16U * i, 16U * i + 16)) << i;
    // Two lanes to a group: together they have all of it, and nothing else.
    const auto eight = touched(made, 8);
    for (std::uint32_t i = 0; i < 4; ++i) {
      std::set<std::uint64_t> both = eight[2 * i];
      both.insert(eight[2 * i + 1].begin(), eight[2 * i + 1].end());
      EXPECT_EQ(both, range(16U * i, 16U * i + 16)) << i;
    }
    const auto two = touched(made, 2);
    EXPECT_EQ(two[0], range(0, 32));
    EXPECT_EQ(two[1], range(32, 64));
  }
}

TEST(Stream, GroupsThatDoNotDivideAmongLanesStayWhole) {
  Made made = make("rand,size=6M,object-size=1M");
  made.layout.groups = 3;
  const auto two = touched(made, 2);
  EXPECT_EQ(two[0], range(0, 4));
  EXPECT_EQ(two[1], range(4, 6));
}

TEST(Stream, Operations_CarryPgAndOsdOfTheirObject) {
  for (const char* text :
       {"rand,size=4M,object-size=1M", "seq,size=4M,object-size=1M", "stat,objects=4"}) {
    SCOPED_TRACE(text);
    Made made = make(text);
    const auto locations = std::make_shared<ObjectPlacement>(
        std::vector<std::uint64_t>{3, 8, 21, 22}, std::vector<std::uint32_t>{5, 1, 5, 0}, 8);
    locations->move(5, 2);
    locations->move(1, 7);
    made.layout.locations = locations;
    Stream stream = made.stream(9);
    std::map<std::uint64_t, std::pair<std::uint32_t, std::int32_t>> seen;
    for (int i = 0; i < 4096; ++i) {
      const Op op = stream.next();
      seen[op.object] = {op.pg, op.osd};
    }
    using Seen = decltype(seen);
    EXPECT_EQ(seen, (Seen{{3, {5, 2}}, {8, {1, 7}}, {21, {5, 2}}, {22, {0, no_osd}}}));
    locations->move(5, 4);
    for (int i = 0; i < 4096; ++i) {
      const Op op = stream.next();
      EXPECT_NE(op.osd, 2) << "from the move on";
    }
  }
}

TEST(Prefill, WritesTheObjectsThatArePinned) {
  Made made = make("rand,size=4M,object-size=1M");
  made.layout.locations = std::make_shared<ObjectPlacement>(
      std::vector<std::uint64_t>{3, 8, 21, 22}, std::vector<std::uint32_t>{5, 1, 5, 0}, 8);
  made.layout.groups = 2;
  std::vector<std::set<std::uint64_t>> lanes(2);
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    for (PrefillStream stream(made.layout, lane, 2); !stream.done();) {
      lanes[lane].insert(stream.next().object);
    }
  }
  EXPECT_EQ(lanes[0], (std::set<std::uint64_t>{3, 8}));
  EXPECT_EQ(lanes[1], (std::set<std::uint64_t>{21, 22}));
}

}  // namespace
}  // namespace radosload::workload
