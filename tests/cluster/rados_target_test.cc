#include "target/rados_target.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "base/random.h"
#include "support/cluster.h"
#include "support/rados_rig.h"
#include "support/target_contract.h"
#include "target/pool_traits.h"
#include "workload/payload.h"

namespace radosload::test {
namespace {

void remove_objects(RadosRig& rig, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) rig.pool.remove(rig.name(i));
}

RadosTargetOptions options_with_omap() {
  RadosTargetOptions options;
  options.omap_value = Bytes{512};
  return options;
}

// Removes its objects.
class ContractPool : public RadosRig {
 public:
  explicit ContractPool(const std::string& pool) : RadosRig(pool, options_with_omap()) {}
  ~ContractPool() { remove_objects(*this, contract_objects); }
  ContractPool(const ContractPool&) = delete;
  ContractPool& operator=(const ContractPool&) = delete;
  ContractPool(ContractPool&&) = delete;
  ContractPool& operator=(ContractPool&&) = delete;
};

std::unique_ptr<TargetRig> rados_contract_rig(const std::string& pool) {
  auto below = std::make_shared<ContractPool>(pool);
  auto rig = std::make_unique<TargetRig>();
  rig->target = std::move(below->target);
  rig->below = std::move(below);
  return rig;
}

INSTANTIATE_TEST_SUITE_P(Rados, TargetContract,
                         testing::Values(TargetCase{
                             .name = "Pool",
                             .make = [] { return rados_contract_rig("ssd"); },
                             .kinds = {OpKind::read, OpKind::write, OpKind::omap_set,
                                       OpKind::omap_get, OpKind::stat, OpKind::create,
                                       OpKind::remove, OpKind::list},
                             .gaps = {.never_written = -ENOENT,
                                      .before_written = rc_hole,
                                      .beyond_the_written = rc_short_read},
                             .make_failing = [] { return rados_contract_rig("ssd"); }}),
                         name_of_case<TargetCase>);

class RadosTargetOn : public testing::TestWithParam<const char*> {};

// Slots are used again and again with other content of the same length: what is sent must be the
// new content under its own checksum.
TEST_P(RadosTargetOn, WhatIsWrittenIsRead) {
  RadosRig rig(GetParam());
  const workload::Payload payload(17);
  Slots slots(8, object_bytes);
  ASSERT_TRUE(rig.target->attach(slots.all()));
  constexpr std::uint64_t objects = 24;
  for (std::uint64_t object = 0; object < objects;) {
    for (std::size_t i = 0; i < 8; ++i, ++object) {
      const Op op = op_of(OpKind::write, object, 0, object_bytes);
      payload.fill(op, slots[i].buffer);
      slots.submit(*rig.target, i, op);
    }
    ASSERT_TRUE(slots.wait());
    for (const Slot& slot : slots.all()) {
      ASSERT_EQ(slot.outcome.rc, 0) << rc_name(slot.outcome.rc);
      ASSERT_EQ(slot.outcome.bytes, object_bytes);
    }
  }
  Random random(5, "places");
  for (int round = 0; round < 200; ++round) {
    for (std::size_t i = 0; i < 8; ++i) {
      const std::uint64_t object = random.below(objects);
      const std::uint64_t offset = random.below(object_bytes / block) * block;
      const bool writes = rig.options.traits.overwrites && round % 2 == 0;
      const Op op = op_of(writes ? OpKind::write : OpKind::read, object, offset, block);
      if (writes) payload.fill(op, slots[i].buffer.first(block));
      slots.submit(*rig.target, i, op);
    }
    ASSERT_TRUE(slots.wait());
    for (const Slot& slot : slots.all()) {
      ASSERT_EQ(slot.outcome.rc, 0) << rc_name(slot.outcome.rc);
      ASSERT_EQ(slot.outcome.bytes, block);
      if (slot.op.kind == OpKind::read) {
        ASSERT_EQ(payload.check(slot.op, slot.received), 0);
      }
    }
  }
  remove_objects(rig, objects);
}

std::string pool_of(const testing::TestParamInfo<const char*>& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Pools, RadosTargetOn, testing::Values("ssd", "hdd", "ec-k2m1"), pool_of);

TEST(RadosTarget, BypassingTheCacheReadsTheSame) {
  RadosTargetOptions options;
  options.cache = CacheMode::bypass;
  RadosRig rig("ssd", options);
  const workload::Payload payload(18);
  Slots slots(1, object_bytes);
  ASSERT_TRUE(rig.target->attach(slots.all()));
  Op op = op_of(OpKind::write, 0, 0, object_bytes);
  payload.fill(op, slots[0].buffer);
  EXPECT_EQ(slots.run(*rig.target, op).rc, 0);
  op = op_of(OpKind::read, 0, block, block);
  EXPECT_EQ(slots.run(*rig.target, op).rc, 0);
  EXPECT_EQ(payload.check(op, slots[0].received), 0);
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::read, 1, 0, block)).rc, -ENOENT);
  remove_objects(rig, 1);
}

TEST(RadosTarget, OmapValues_ReadBack) {
  RadosRig rig("ssd", options_with_omap());
  const workload::Payload payload(20);
  Slots slots(1, 8192);
  ASSERT_TRUE(rig.target->attach(slots.all()));
  for (const std::uint64_t offset : {0U, 4096U}) {
    const Op set = op_of(OpKind::omap_set, 0, offset, 4096);
    payload.fill(set, slots[0].buffer.first(4096));
    ASSERT_EQ(slots.run(*rig.target, set).rc, 0);
  }
  std::map<std::string, librados::bufferlist> stored;
  ASSERT_EQ(rig.pool.omap_get_vals(rig.name(0), "", 100, &stored), 0);
  ASSERT_EQ(stored.size(), 16U);
  EXPECT_EQ(stored.begin()->first, "0000000000000000");
  for (const auto& [offset, length] :
       {std::pair{0U, 512U}, {2560U, 512U}, {512U, 4096U}, {0U, 8192U}, {7680U, 512U}}) {
    const Op get = op_of(OpKind::omap_get, 0, offset, length);
    ASSERT_EQ(slots.run(*rig.target, get).rc, 0) << offset;
    EXPECT_EQ(slots[0].outcome.bytes, length);
    EXPECT_EQ(payload.check(get, slots[0].received), 0) << offset;
  }
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::omap_get, 0, 8192, 512)).rc, rc_short_read);
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::omap_get, 7, 0, 512)).rc, -ENOENT);
  remove_objects(rig, 1);
}

TEST(RadosTarget, OmapOnAPoolWithoutIt_Fails) {
  RadosRig rig("ec-k2m1", options_with_omap());
  Slots slots(1, 4096);
  ASSERT_TRUE(rig.target->attach(slots.all()));
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::omap_set, 0, 0, 512)).rc, -EOPNOTSUPP);
  remove_objects(rig, 1);
}

TEST(RadosTarget, CreatesStatsListsAndRemovesObjects) {
  RadosRig rig("ssd");
  Slots slots(4, 4096);
  ASSERT_TRUE(rig.target->attach(slots.all()));
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::stat, 3)).rc, -ENOENT);
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::create, 3)).rc, 0);
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::create, 3)).rc, -EEXIST);
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::stat, 3)).rc, 0);
  for (std::size_t i = 0; i < 4; ++i) {
    slots.submit(*rig.target, i, op_of(OpKind::list, i, 4));  // slice i of 4
  }
  ASSERT_TRUE(slots.wait());
  for (const Slot& slot : slots.all()) EXPECT_EQ(slot.outcome.rc, 0);
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::remove, 3)).rc, 0);
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::remove, 3)).rc, -ENOENT);
  EXPECT_EQ(slots.completions(), 10U);
}

TEST(RadosTarget, ReadsTheCapabilitiesOfPools) {
  const auto connection = connect_here();
  librados::IoCtx replicated = open_pool(*connection, "ssd");
  const auto plain = target::pool_traits(replicated);
  ASSERT_TRUE(plain);
  EXPECT_TRUE(plain->overwrites);
  EXPECT_TRUE(plain->omap);
  EXPECT_EQ(plain->alignment.count, 0U);
  librados::IoCtx overwritable = open_pool(*connection, "ec-k2m1");
  const auto erasure = target::pool_traits(overwritable);
  ASSERT_TRUE(erasure);
  EXPECT_TRUE(erasure->overwrites);
  EXPECT_FALSE(erasure->omap);
  EXPECT_EQ(erasure->alignment.count, 0U);
}

TEST(RadosTarget, WithoutOverwritesWholeObjectsAndAppendsWork) {
  const TestPool made("target-append", TestPool::Kind::erasure);
  constexpr std::uint32_t chunk = object_bytes / 4;
  RadosRig rig(made.name());
  EXPECT_FALSE(rig.options.traits.overwrites);
  EXPECT_FALSE(rig.options.traits.omap);
  EXPECT_GT(rig.options.traits.alignment.count, 0U);
  const workload::Payload payload(21);
  Slots slots(16, object_bytes);
  ASSERT_TRUE(rig.target->attach(slots.all()));
  // The chunks of four objects, all in flight, each object's in order.
  for (std::size_t i = 0; i < 16; ++i) {
    const Op op = op_of(OpKind::write, i / 4, i % 4 * chunk, chunk);
    payload.fill(op, slots[i].buffer.first(chunk));
    slots.submit(*rig.target, i, op);
  }
  ASSERT_TRUE(slots.wait());
  for (const Slot& slot : slots.all()) EXPECT_EQ(slot.outcome.rc, 0) << slot.index;
  const Op whole = op_of(OpKind::write, 0, 0, object_bytes);
  payload.fill(whole, slots[0].buffer);
  EXPECT_EQ(slots.run(*rig.target, whole).rc, 0) << "a whole object may be replaced";
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::write, 0, chunk, chunk)).rc, -EOPNOTSUPP);
  for (std::uint64_t object = 0; object < 4; ++object) {
    const Op read = op_of(OpKind::read, object, 0, object_bytes);
    EXPECT_EQ(slots.run(*rig.target, read).rc, 0);
    EXPECT_EQ(payload.check(read, slots[0].received), 0) << object;
  }
}

TEST(RadosTarget, DeletedPool_IsDistinguishedFromAMissingObject) {
  TestPool made("target-gone");
  RadosRig rig(made.name());
  Slots slots(1, block);
  ASSERT_TRUE(rig.target->attach(slots.all()));
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::stat, 0)).rc, -ENOENT);
  EXPECT_FALSE(target::pool_is_gone(*rig.connection, rig.pool.get_id()));
  made.remove();
  const auto gone = [&] {
    rig.connection->rados().wait_for_latest_osdmap();
    return target::pool_is_gone(*rig.connection, rig.pool.get_id());
  };
  EXPECT_TRUE(wait_for("the client to know that the pool is gone", gone, patience, now_and_then));
}

TEST(RadosTarget, SlotOfAnUnknownLane_IsRefused) {
  RadosRig rig("ssd");
  Slots slots(1, block);
  slots[0].lane = 2;
  EXPECT_FALSE(rig.target->attach(slots.all()));
}

}  // namespace
}  // namespace radosload::test
