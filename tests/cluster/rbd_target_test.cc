// The rbd target on a real image; making images and removing them.

#include "target/rbd_target.h"

#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/image.h"
#include "cluster/image_admin.h"
#include "support/cluster.h"
#include "support/images.h"
#include "support/pool.h"
#include "support/slots.h"
#include "support/target_contract.h"
#include "workload/payload.h"

namespace radosload::test {
namespace {

using std::chrono::seconds;

constexpr Bytes object_size = mib(1);
constexpr std::uint32_t block = 4096;
constexpr Time limit = patience;

// An image of four objects, opened, with a target on it.
class RbdRig {
 public:
  explicit RbdRig(const std::string& pool = "ssd", Time farewell = seconds(5))
      : m_connection(connect_here({{"rbd_cache", "false"},
                                   {"rbd_io_scheduler", "none"},
                                   {"rados_osd_op_timeout", "300"}})),
        m_pool(open_pool(*m_connection, pool, "")) {
    const auto made = cluster::make_image(
        m_connection, m_pool,
        {.name = name, .size = mib(4), .object_size = object_size, .data_pool = "", .run = run},
        limit);
    if (!made) throw std::runtime_error(made.error().message());
    auto opened = cluster::Image::open(m_connection, m_pool, {name, ""}, limit);
    if (!opened) throw std::runtime_error(opened.error().message());
    image = *std::move(opened);
    target::RbdLane lane;
    lane.images = {image};
    target = std::make_unique<target::RbdTarget>(
        std::vector<target::RbdLane>(contract_lanes, lane),
        target::RbdTargetOptions{
            .object_size = object_size, .objects_per_image = 4, .farewell = farewell});
  }
  ~RbdRig() {
    close();
    remove();
  }
  RbdRig(const RbdRig&) = delete;
  RbdRig& operator=(const RbdRig&) = delete;
  RbdRig(RbdRig&&) = delete;
  RbdRig& operator=(RbdRig&&) = delete;

  void close() {
    target.reset();
    image.reset();
  }
  Result<cluster::ImageFate> remove(const std::string& by = run,
                                    const std::string& what = "rig-image",
                                    const cluster::ImageProgress& progress = {}) const {
    return cluster::remove_image(*commands(), what, by, progress);
  }
  std::unique_ptr<cluster::ImageCommands> commands() const {
    return cluster::image_commands(m_connection, m_pool, limit);
  }
  void await_newest_map() const { m_connection->rados().wait_for_latest_osdmap(); }
  // The run whose mark counts on an image.
  std::string maker(const std::string& of) {
    const auto opened = cluster::Image::open(m_connection, m_pool, {of, ""}, limit);
    return opened ? (*opened)->info().made_by : opened.error().message();
  }

  static constexpr const char* run = "rig";
  std::string name = "rig-image";
  std::shared_ptr<cluster::Image> image;
  std::unique_ptr<target::RbdTarget> target;

 private:
  std::shared_ptr<cluster::Connection> m_connection;
  librados::IoCtx m_pool;
};

Op op_in_image(OpKind kind, std::uint64_t object, std::uint64_t offset = 0) {
  return {.object = object,
          .offset = offset,
          .length = kind == OpKind::flush ? 0 : block,
          .kind = kind};
}

std::unique_ptr<TargetRig> image_rig() {
  auto below = std::make_shared<RbdRig>();
  auto rig = std::make_unique<TargetRig>();
  rig->target = std::move(below->target);
  rig->below = std::move(below);
  return rig;
}

constexpr Op beyond_the_end = {
    .object = 3, .offset = object_size.count - 1024, .length = block, .kind = OpKind::read};

INSTANTIATE_TEST_SUITE_P(Rbd, TargetContract,
                         testing::Values(TargetCase{
                             .name = "Image",
                             .make = image_rig,
                             .kinds = {OpKind::read, OpKind::write, OpKind::flush, OpKind::discard},
                             .gaps = {.never_written = rc_hole,
                                      .before_written = rc_hole,
                                      .beyond_the_written = rc_hole},
                             .make_failing = image_rig,
                             .failing = beyond_the_end,
                             .failure = rc_short_read}),
                         name_of_case<TargetCase>);

// Over its quota a pool takes writes and never answers them.
struct ImageInFullPool {
  TestPool pool{"rbdfull"};
  RbdRig rig{pool.name(), std::chrono::milliseconds(200)};

  ImageInFullPool() {
    Slots slots(1, block);
    EXPECT_TRUE(rig.target->attach(slots.all()));
    EXPECT_EQ(slots.run(*rig.target, op_in_image(OpKind::write, 0)).rc, 0);
    pool.fill_to_quota();
  }
};

std::unique_ptr<TargetRig> full_image_rig() {
  auto below = std::make_shared<ImageInFullPool>();
  auto rig = std::make_unique<TargetRig>();
  rig->answer = [pool = &below->pool] { pool->lift_quota(); };
  rig->target = std::move(below->rig.target);
  rig->below = std::move(below);
  return rig;
}

INSTANTIATE_TEST_SUITE_P(Rbd, SilentTargets,
                         testing::Values(SilentCase{
                             .name = "FullPool",
                             .make = full_image_rig,
                             .abandoned = 1}),  // librbd cannot take back an operation
                         name_of_case<SilentCase>);

TEST(RbdTarget, WritesReadsFlushesAndDiscardsWhereTheLayoutSays) {
  RbdRig rig;
  Slots slots(1, block);
  ASSERT_TRUE(rig.target->attach(slots.all()));
  const workload::Payload payload(7);
  const Op write = op_in_image(OpKind::write, 2, 8192);
  payload.fill(write, slots[0].buffer.first(block));
  EXPECT_EQ(slots.run(*rig.target, write).rc, 0);
  EXPECT_EQ(slots.run(*rig.target, op_in_image(OpKind::flush, 2)).rc, 0);

  const Outcome read = slots.run(*rig.target, op_in_image(OpKind::read, 2, 8192));
  EXPECT_EQ(read.bytes, block);
  EXPECT_EQ(payload.check(op_in_image(OpKind::read, 2, 8192), slots[0].received), 0);
  // The same bytes by the image's own offsets.
  librados::bufferlist direct;
  ASSERT_EQ(rig.image->handle().read(2 * object_size.count + 8192, block, direct), block);
  EXPECT_EQ(std::memcmp(direct.c_str(), slots[0].received.data(), block), 0);

  Op whole = op_in_image(OpKind::discard, 2);
  whole.length = static_cast<std::uint32_t>(object_size.count);
  EXPECT_EQ(slots.run(*rig.target, whole).rc, 0);
  EXPECT_EQ(slots.run(*rig.target, op_in_image(OpKind::read, 2, 8192)).rc, 0);
  EXPECT_EQ(payload.check(op_in_image(OpKind::read, 2, 8192), slots[0].received), rc_hole);
}

TEST(RbdImages, AreRemovedOnlyByTheRunThatCreatedThem) {
  RbdRig rig;
  rig.close();
  EXPECT_EQ(rig.remove("somebody"), cluster::ImageFate::foreign);
  EXPECT_EQ(rig.remove(), cluster::ImageFate::removed);
  EXPECT_EQ(rig.remove(), cluster::ImageFate::missing);
}

TEST(RbdImages, Mark_IsInvalidOnClonesCopiesAndOtherNames) {
  RbdRig rig;
  rig.close();
  EXPECT_EQ(rig.maker("rig-image"), "rig");
  ASSERT_EQ(rbd({"snap", "create", "--no-progress", "ssd/rig-image@s"}).status, 0);
  const std::vector<std::vector<std::string>> ways = {
      {"clone", "--rbd-default-clone-format", "2", "ssd/rig-image@s"},
      {"cp", "--no-progress", "ssd/rig-image"},
      {"deep", "cp", "--no-progress", "ssd/rig-image"}};
  for (std::vector<std::string> way : ways) {
    way.emplace_back("ssd/rig-other");
    ASSERT_EQ(rbd(way).status, 0) << way[0];
    EXPECT_EQ(rig.maker("rig-other"), "") << way[0];
    EXPECT_EQ(rig.remove("rig", "rig-other"), cluster::ImageFate::foreign) << way[0];
    rbd({"snap", "purge", "--no-progress", "ssd/rig-other"});
    EXPECT_EQ(rbd({"rm", "--no-progress", "ssd/rig-other"}).status, 0) << way[0];
  }
  EXPECT_FALSE(rig.remove()) << "with its snapshot";
  ASSERT_EQ(rbd({"snap", "purge", "--no-progress", "ssd/rig-image"}).status, 0);
  ASSERT_EQ(rbd({"rename", "ssd/rig-image", "ssd/rig-other"}).status, 0);
  EXPECT_EQ(rig.maker("rig-other"), "");
  EXPECT_EQ(rig.remove("rig", "rig-other"), cluster::ImageFate::foreign);
  ASSERT_EQ(rbd({"rename", "ssd/rig-other", "ssd/rig-image"}).status, 0);
  ASSERT_EQ(rbd({"trash", "mv", "ssd/rig-image"}).status, 0);
  EXPECT_EQ(rig.remove(), cluster::ImageFate::missing);
  const std::string listed = rbd({"trash", "ls", "ssd"}).out;
  ASSERT_EQ(rbd({"trash", "restore", "--pool", "ssd", listed.substr(0, listed.find(' '))}).status,
            0);
  EXPECT_EQ(rig.remove(), cluster::ImageFate::removed) << "it is the same again";
}

// While somebody has it open, removing it is tried for a while; the name may change hands.
TEST(RbdImages, Mark_IsReadBeforeEveryRemovalAttempt) {
  RbdRig rig;
  const ForeignImage theirs("rig-theirs", "4M");
  bool swapped = false;
  const auto swap = [&](double) {
    if (std::exchange(swapped, true)) return true;
    // Time: the attempt that is under way has long found the image by its name then.
    std::this_thread::sleep_for(seconds(1));
    EXPECT_EQ(rbd({"rename", "ssd/rig-image", "ssd/rig-moved"}).status, 0);
    EXPECT_EQ(rbd({"rename", "ssd/rig-theirs", "ssd/rig-image"}).status, 0);
    return true;
  };
  EXPECT_EQ(rig.remove("rig", "rig-image", swap), cluster::ImageFate::foreign);
  EXPECT_TRUE(swapped);
  EXPECT_EQ(rbd({"rename", "ssd/rig-image", "ssd/rig-theirs"}).status, 0) << "it is still there";
  rig.close();
  EXPECT_EQ(rbd({"rename", "ssd/rig-moved", "ssd/rig-image"}).status, 0);
  EXPECT_EQ(rig.remove(), cluster::ImageFate::removed);
}

// librbd's commands, but for what somebody does just before an image of ours gets another name.
class InterruptedCommands final : public cluster::ImageCommands {
 public:
  InterruptedCommands(cluster::ImageCommands& librbd, std::function<void()> others)
      : m_librbd(librbd), m_others(std::move(others)) {}

  int create(const cluster::NewImage& image, const std::string& name) override {
    return m_librbd.create(image, name);
  }
  int mark(const cluster::NewImage& image, const std::string& name) override {
    return m_librbd.mark(image, name);
  }
  int rename(const std::string& from, const std::string& to) override {
    if (m_others) std::exchange(m_others, nullptr)();
    return m_librbd.rename(from, to);
  }
  cluster::ImageSeen query(const std::string& name) override { return m_librbd.query(name); }
  int remove(const std::string& name, const cluster::ImageProgress& progress) override {
    return m_librbd.remove(name, progress);
  }
  bool mirrored_from_elsewhere(const std::string& name) override {
    return m_librbd.mirrored_from_elsewhere(name);
  }
  bool wait(const cluster::ImageProgress& progress) override { return m_librbd.wait(progress); }

 private:
  cluster::ImageCommands& m_librbd;
  std::function<void()> m_others;
};

TEST(RbdImages, ForeignImageThatTakesTheName_KeepsIt) {
  RbdRig rig;
  rig.close();
  const ForeignImage theirs("rig-theirs", "4M");
  const auto librbd = rig.commands();
  InterruptedCommands commands(*librbd, [] {
    EXPECT_EQ(rbd({"rename", "ssd/rig-image", "ssd/rig-moved"}).status, 0);
    EXPECT_EQ(rbd({"rename", "ssd/rig-theirs", "ssd/rig-image"}).status, 0);
  });
  EXPECT_EQ(cluster::remove_image(commands, "rig-image", "rig"), cluster::ImageFate::foreign);
  EXPECT_EQ(images_in("ssd"), "rig-image\nrig-moved\n");
  EXPECT_EQ(rbd({"rename", "ssd/rig-image", "ssd/rig-theirs"}).status, 0);
  EXPECT_EQ(rbd({"rename", "ssd/rig-moved", "ssd/rig-image"}).status, 0);
  EXPECT_EQ(rig.remove(), cluster::ImageFate::removed);
}

}  // namespace
}  // namespace radosload::test
