// The target of drives, by its three ways to the kernel, on files and on a pipe that does not
// answer.

#include <array>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <stdexcept>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

#include "cluster/bounded_call.h"
#include "support/disk_folder.h"
#include "support/target_contract.h"
#include "support/wait_for.h"
#include "target/drive_queue.h"
#include "target/drive_target.h"

namespace radosload::target {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::contract_block;
using test::contract_object_bytes;
using test::op_at;
using test::SilentCase;
using test::SilentTargets;
using test::Slots;
using test::TargetCase;
using test::TargetContract;
using test::TargetRig;

base::Descriptor opened(const std::string& path, int flags) {
  constexpr mode_t mode = 0600;
  return base::Descriptor(::open(path.c_str(), flags | O_DIRECT | O_CLOEXEC, mode));
}

struct Way {
  const char* name;
  bool ring;
  bool paced;

  // A container may forbid io_uring: then there is only the other way.
  std::string unavailable() const { return ring ? why_no_ring() : ""; }
};
constexpr Way own_ring{"OwnRing", true, false};
constexpr Way shared_ring{"SharedRing", true, true};
constexpr Way threads{"Threads", false, false};

DriveTargetOptions options_of(const Way& way, Time farewell = seconds(5)) {
  return {.object_size = Bytes{contract_object_bytes},
          .ring = way.ring,
          .paced = way.paced,
          .farewell = farewell};
}
std::string name_of(const testing::TestParamInfo<Way>& way) {
  return way.param.name;
}

std::unique_ptr<TargetRig> file_rig(const Way& way, int flags) {
  auto folder = std::make_shared<test::DiskFolder>();
  const std::string path = folder->file("drive");
  { const base::Descriptor made = opened(path, O_RDWR | O_CREAT); }
  auto rig = std::make_unique<TargetRig>();
  rig->below = std::move(folder);
  rig->target = std::make_unique<DriveTarget>(opened(path, flags), options_of(way));
  return rig;
}

TargetCase file_case(const Way& way) {
  return {.name = way.name,
          .make = [way] { return file_rig(way, O_RDWR); },
          .kinds = {OpKind::read, OpKind::write, OpKind::flush},
          .gaps = {.never_written = rc_short_read,
                   .before_written = rc_hole,
                   .beyond_the_written = rc_short_read},
          .make_failing = [way] { return file_rig(way, O_RDONLY); },
          .failing = op_at(OpKind::write, 0),
          .failure = -EBADF,
          .unavailable = way.unavailable()};
}
INSTANTIATE_TEST_SUITE_P(Files, TargetContract,
                         testing::Values(file_case(own_ring), file_case(shared_ring),
                                         file_case(threads)),
                         test::name_of_case<TargetCase>);

// A read of an empty pipe stands for a drive that does not answer.
std::unique_ptr<TargetRig> pipe_rig(const Way& way) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  base::Descriptor reader(ends[0]);
  auto writer = std::make_shared<base::Descriptor>(ends[1]);
  auto rig = std::make_unique<TargetRig>();
  rig->answer = [writer]() mutable {
    if (!writer) return;
    EXPECT_EQ(::write(writer->get(), "late", 4), 4);
    writer.reset();  // its end answers the other reads
  };
  rig->target = std::make_unique<DriveTarget>(std::move(reader), options_of(way, milliseconds(50)));
  return rig;
}

SilentCase pipe_case(const Way& way) {
  return {.name = way.name,
          .make = [way] { return pipe_rig(way); },
          .kind = OpKind::read,
          .abandoned = 1,  // the kernel may still write into the memory
          .unavailable = way.unavailable()};
}
INSTANTIATE_TEST_SUITE_P(Pipes, SilentTargets,
                         testing::Values(pipe_case(own_ring), pipe_case(shared_ring)),
                         test::name_of_case<SilentCase>);

// Not a case of its own of SilentTargets: planted bugs are found by tests without parameters.
TEST(SilentDrive, CancelAnswersTheSlotsAndTheLateAnswerFreesTheRest) {
  if (!own_ring.unavailable().empty()) GTEST_SKIP() << own_ring.unavailable();
  Slots slots(1, contract_block);
  const auto rig = pipe_rig(own_ring);
  ASSERT_TRUE(rig->target->attach(slots.all()));
  slots.submit(*rig->target, 0, op_at(OpKind::read, 0));
  rig->target->cancel();
  EXPECT_EQ(slots.in_flight(), 0U);
  rig->answer();
  rig->destroy();
  EXPECT_TRUE(
      test::wait_for("the abandoned work to end", [] { return cluster::abandoned_work() == 0; }));
  EXPECT_EQ(slots.surplus(), 0U) << "the late answer is ignored";
}

class Drives : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    const std::string why = GetParam().unavailable();
    if (!why.empty()) GTEST_SKIP() << why;
  }
  DriveTargetOptions options() const { return options_of(GetParam()); }

  test::DiskFolder m_folder;
  std::string m_path = m_folder.file("drive");
};

INSTANTIATE_TEST_SUITE_P(Ways, Drives, testing::Values(own_ring, shared_ring, threads), name_of);

TEST_P(Drives, ObjectsLieOneBehindTheOther) {
  Slots slots(1, contract_block);
  {
    DriveTarget drive(opened(m_path, O_RDWR | O_CREAT), options());
    ASSERT_TRUE(drive.attach(slots.all()));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(slots[0].buffer.data()) % contract_block, 0U);
    std::memset(slots[0].buffer.data(), 'x', contract_block);
    Op write = op_at(OpKind::write, 2);
    write.offset = 3 * contract_block;
    EXPECT_EQ(slots.run(drive, write).rc, 0);
    EXPECT_TRUE(drive.flush());
  }
  const base::Descriptor file(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC));
  char byte = 0;
  constexpr off_t place = 2 * contract_object_bytes + 3 * contract_block;
  ASSERT_EQ(::pread(file.get(), &byte, 1, place), 1);
  EXPECT_EQ(byte, 'x');
  EXPECT_EQ(::lseek(file.get(), 0, SEEK_END), place + contract_block);
}

TEST_P(Drives, DurableWritesAndTheNextPass_UseTheSameFile) {
  DriveTargetOptions durable = options();
  durable.sync_writes = true;
  DriveTarget drive(opened(m_path, O_RDWR | O_CREAT), durable);
  for (const std::size_t count : {8U, 2U}) {
    Slots slots(count, contract_block, 2);
    ASSERT_TRUE(drive.attach(slots.all()));
    for (std::size_t i = 0; i < count; ++i) slots.submit(drive, i, op_at(OpKind::write, i));
    ASSERT_TRUE(slots.wait());
    for (const Slot& slot : slots.all()) EXPECT_EQ(slot.outcome.rc, 0);
  }
}

}  // namespace
}  // namespace radosload::target
