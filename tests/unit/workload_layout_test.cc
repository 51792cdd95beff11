#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plan/patterns.h"
#include "workload/layout.h"

namespace radosload::workload {
namespace {

Layout layout_of(std::string_view text, const PoolTraits& pool = {}) {
  return lay_out(plan::parse_pattern(text).value(), pool).value();
}

std::string refusal_of(std::string_view text, const PoolTraits& pool, std::uint32_t lanes = 1) {
  const auto layout = lay_out(plan::parse_pattern(text).value(), pool, lanes);
  if (layout) return "nothing was refused";
  EXPECT_EQ(layout.error().exit, Exit::usage);
  return layout.error().message();
}

std::vector<Op> all_of(PrefillStream stream) {
  std::vector<Op> ops;
  while (!stream.done()) ops.push_back(stream.next());
  return ops;
}

TEST(Layout, DataIsObjectsOfWholeBlocks) {
  const Layout layout = layout_of("randrw4k");
  EXPECT_EQ(layout.objects, 256U);
  EXPECT_EQ(layout.blocks_per_object, 1024U);
  EXPECT_EQ(layout.total(), gib(1));
  EXPECT_EQ(layout.prefill_bytes(), gib(1));
}

TEST(Layout, ObjectsAreRoundedUpSoThatNoRunIsSmallerThanAskedFor) {
  EXPECT_EQ(layout_of("randrw4k,size=10M").objects, 3U);
  EXPECT_EQ(layout_of("randrw4k,size=12M").objects, 3U);
  EXPECT_EQ(layout_of("randrw4k,size=10M").total(), mib(12));
}

TEST(Layout, ColdReadsOfFiles_AreOfEachOnce) {
  const Layout list = layout_of("fs-list,objects=25000,entries=10000");
  EXPECT_TRUE(list.finite);
  EXPECT_EQ(list.slices, 3U);
  EXPECT_EQ(list.prefill, Prefill::empty);
  EXPECT_FALSE(layout_of("fs-list,cache=warm").finite);
  EXPECT_TRUE(layout_of("fs-stat").finite);
  EXPECT_TRUE(layout_of("fs-create").finite);
  EXPECT_EQ(layout_of("fs-create").prefill, Prefill::nothing);
  EXPECT_NE(refusal_of("fs-list", {}, 11).find("10 directories"), std::string::npos);
}

TEST(Layout, EtcdsLogIs22MebibytesInWholeObjects) {
  const Layout layout = layout_of("etcd-wal");
  EXPECT_EQ(layout.total(), mib(22));
  EXPECT_EQ(layout.objects, 11U);
  EXPECT_EQ(layout.blocks_per_object, 911U);
}

TEST(Layout, OnodeReadHasTwoMillionObjectsOfOneBlock) {
  const Layout layout = layout_of("onode-read");
  EXPECT_EQ(layout.objects, 2U << 20U);
  EXPECT_EQ(layout.blocks_per_object, 1U);
}

TEST(Layout, ReadOrPartlyOverwrittenObjects_ArePrefilled) {
  const std::map<std::string, Prefill> wanted = {
      {"randrw4k", Prefill::data},
      {"randwrite4k", Prefill::data},
      {"read1m", Prefill::data},
      {"write1m", Prefill::data},
      {"etcd-wal", Prefill::data},
      {"radosbench-write", Prefill::nothing},
      {"radosbench-seq", Prefill::data},
      {"radosbench-rand", Prefill::data},
      {"radosbench-write,read=1", Prefill::data},
      {"omap-set", Prefill::empty},
      {"omap-get", Prefill::omap},
      {"stat", Prefill::empty},
      {"stat,object-size=4k", Prefill::data},
      {"create", Prefill::nothing},
      {"delete", Prefill::empty},
      {"delete,object-size=4M", Prefill::data},
      {"list", Prefill::empty},
      {"onode-read", Prefill::data},
  };
  for (const auto& [text, prefill] : wanted) {
    const Layout layout = layout_of(text);
    EXPECT_EQ(layout.prefill, prefill) << text;
    EXPECT_EQ(layout.prefill_operations() == 0, prefill == Prefill::nothing) << text;
  }
}

TEST(Layout, OnlyCreateAndDeleteAndColdReadsOfFilesAreFinite) {
  const std::set<std::string> finite = {"create",  "delete",    "fs-create",
                                        "fs-stat", "fs-delete", "fs-list"};
  for (const plan::NamedPattern& named : plan::catalogue()) {
    const std::string& name = named.defaults.name;
    EXPECT_EQ(lay_out(named.defaults).value().finite, finite.contains(name)) << name;
  }
}

TEST(Layout, PoolsThatCannotOverwriteTakeWholeObjectsOnly) {
  const PoolTraits ec{.overwrites = false, .alignment = kib(8), .omap = false};
  EXPECT_NE(refusal_of("randrw4k", ec).find("writes blocks of 4k into objects of 4M"),
            std::string::npos);
  EXPECT_NE(refusal_of("write1m", ec).find("object-size=1M"), std::string::npos);
  EXPECT_NE(refusal_of("etcd-wal", ec).find("allow_ec_overwrites true"), std::string::npos);
  for (const char* text : {"randread4k", "write1m,object-size=1M", "radosbench-write", "delete",
                           "rand,bs=64k,object-size=64k", "stat,object-size=4k"}) {
    EXPECT_TRUE(lay_out(plan::parse_pattern(text).value(), ec)) << text;
  }
}

TEST(Layout, PoolWithoutOmap_OmapPatternIsRefused) {
  const PoolTraits ec{.omap = false};
  EXPECT_NE(refusal_of("omap-set", ec).find("erasure-coded pools have no omap"), std::string::npos);
  EXPECT_NE(refusal_of("omap-get", ec).find("replicated pool"), std::string::npos);
}

TEST(Layout, WorkThatDoesNotDivideAmongClients_IsRefused) {
  EXPECT_NE(refusal_of("radosbench-seq,size=12M", {}, 4).find("3 blocks"), std::string::npos);
  EXPECT_NE(refusal_of("radosbench-seq,size=12M", {}, 4).find("--clients"), std::string::npos);
  EXPECT_NE(refusal_of("delete,objects=3", {}, 4).find("objects="), std::string::npos);
  EXPECT_NE(refusal_of("list,objects=1000", {}, 4).find("2 slices"), std::string::npos);
  EXPECT_NE(refusal_of("randrw4k", {}, 0).find("0 clients"), std::string::npos);
  EXPECT_TRUE(lay_out(plan::parse_pattern("radosbench-rand,size=12M").value(), {}, 4));
}

TEST(Layout, InvalidPattern_IsRefused) {
  Pattern pattern;
  pattern.block_size = Bytes{0};
  EXPECT_FALSE(lay_out(pattern));
}

RC_GTEST_PROP(Prefill, WritesEveryByteOfEveryObjectOnceAndInOrder, ()) {
  Pattern pattern = plan::parse_pattern("rand").value();
  pattern.object_size = Bytes{*rc::gen::inRange<std::uint64_t>(4096, 20U << 20U)};
  pattern.working_set = Bytes{pattern.object_size.count * *rc::gen::inRange<std::uint64_t>(1, 9)};
  const Bytes alignment{*rc::gen::element<std::uint64_t>(0, 4096, 12288, 5U << 20U)};
  const Layout layout = lay_out(pattern, {.alignment = alignment}).value();
  const auto lanes = *rc::gen::inRange<std::uint32_t>(1, 5);
  std::map<std::uint64_t, std::uint64_t> written;
  std::uint64_t operations = 0;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    for (const Op& op : all_of({layout, lane, lanes})) {
      RC_ASSERT(op.kind == OpKind::write);
      RC_ASSERT(op.offset == written[op.object]);
      if (alignment.count != 0) RC_ASSERT(op.offset % alignment.count == 0);
      RC_ASSERT(op.length > 0);
      written[op.object] += op.length;
      ++operations;
    }
  }
  RC_ASSERT(operations == layout.prefill_operations());
  RC_ASSERT(written.size() == layout.objects);
  for (const auto& [object, bytes] : written) RC_ASSERT(bytes == layout.object_size.count);
}

TEST(Prefill, SetsEveryOmapKeyAFewDozenAtATime) {
  const Layout layout = layout_of("omap-get,bs=100,object-size=100050,size=400200");
  ASSERT_EQ(layout.object_size, Bytes{100'000});
  const std::vector<Op> ops = all_of({layout, 0, 1});
  ASSERT_EQ(ops.size(), layout.prefill_operations());
  std::uint64_t keys = 0;
  for (const Op& op : ops) {
    EXPECT_EQ(op.kind, OpKind::omap_set);
    EXPECT_EQ(op.offset % 100, 0U);
    EXPECT_EQ(op.length % 100, 0U);
    EXPECT_LE(op.length, kib(64).count);
    keys += op.length / 100;
  }
  EXPECT_EQ(keys, 4000U);
}

TEST(Prefill, CreatesEmptyObjectsOnce) {
  const std::vector<Op> ops = all_of({layout_of("stat,objects=10"), 0, 1});
  ASSERT_EQ(ops.size(), 10U);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    EXPECT_EQ(ops[i].kind, OpKind::create);
    EXPECT_EQ(ops[i].object, i);
  }
  EXPECT_TRUE(all_of({layout_of("create"), 0, 1}).empty());
}

RC_GTEST_PROP(Share, PartsAreContiguousCompleteAndEven, ()) {
  const auto count = *rc::gen::arbitrary<std::uint64_t>();
  const auto lanes = *rc::gen::inRange<std::uint32_t>(1, 2000);
  std::uint64_t end = 0;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const Share share = share_of(count, lane, lanes);
    RC_ASSERT(share.begin == end);
    RC_ASSERT(share.end - share.begin - count / lanes <= 1U);
    end = share.end;
  }
  RC_ASSERT(end == count);
}

TEST(ObjectName, IsFixedWidthAndSortsAsItsIndex) {
  std::array<char, 64> buffer{};
  EXPECT_EQ(object_name(buffer, "7f3a", 0x12ab), "radosload.7f3a.00000000000012ab");
  EXPECT_EQ(object_name_size("7f3a"), 31U);
  const std::string nine(object_name(buffer, "r", 9));
  EXPECT_LT(nine, object_name(buffer, "r", 10));
}

RC_GTEST_PROP(ObjectName, ReadsBack, (std::uint64_t index)) {
  const auto run_id = *rc::gen::element<std::string>("a", "20240101-abcd", "with.dots.in.it");
  std::array<char, 64> buffer{};
  const auto parsed = parse_object_name(object_name(buffer, run_id, index));
  RC_ASSERT(parsed.has_value());
  RC_ASSERT(parsed->run_id == run_id);
  RC_ASSERT(parsed->index == index);
}

TEST(ObjectName, ForeignNames_AreRejected) {
  for (const char* name :
       {"", "radosload.", "radosload.0000000000000000", "radosload..0000000000000000",
        "radosload.x.000000000000000", "radosload.x.00000000000000000",
        "radosload.x.00000000000000AB", "radosload.x.000000000000000g",
        "Radosload.x.0000000000000000", "rbd_data.10226b8b4567.0000000000000000",
        "benchmark_data_host_1_object0"}) {
    EXPECT_FALSE(parse_object_name(name)) << name;
  }
}

TEST(OmapKey, SortsAsItsIndex) {
  std::array<char, omap_key_size> buffer{};
  EXPECT_EQ(omap_key(buffer, 255), "00000000000000ff");
}

}  // namespace
}  // namespace radosload::workload
