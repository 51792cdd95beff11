// The target of drives, by its three ways to the kernel, on files and on a pipe that does not
// answer.

#include <array>
#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <set>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cluster/bounded_call.h"
#include "engine/real_loop.h"
#include "support/disk_folder.h"
#include "support/wait_for.h"
#include "target/drive_queue.h"
#include "target/drive_target.h"

namespace radosload::target {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint64_t object_bytes = 64 << 10;
constexpr std::uint32_t block = 4096;

// Slots of two lanes, and what became of them.
class Slots {
 public:
  explicit Slots(std::size_t count) : m_slots(count) {
    for (std::size_t i = 0; i < count; ++i) {
      Slot& slot = m_slots[i];
      slot.lane = static_cast<std::uint32_t>(i % 2);
      slot.index = static_cast<std::uint32_t>(i);
      slot.room = block;
      slot.owner = this;
      slot.clock = &m_clock;
      slot.on_complete = [](Slot& done, Outcome outcome) noexcept {
        done.outcome = outcome;
        static_cast<Slots*>(done.owner)->answered(done);
      };
    }
  }
  std::span<Slot> all() { return m_slots; }
  Slot& operator[](std::size_t i) { return m_slots[i]; }
  std::size_t done() const { return m_done; }
  // As the engine does: a slot is sent again only after its submit() has returned.
  void submit(DriveTarget& drive, Slot& slot) {
    const std::lock_guard lock(m_submitting);
    drive.submit(slot);
  }
  // Each answer sends its slot again, until so many have been sent from answers.
  void send_again(DriveTarget& drive, std::size_t count) {
    m_again = &drive;
    m_left = count;
  }
  testing::AssertionResult wait_for(std::size_t count) const {
    return test::wait_for(std::to_string(count) + " answers",
                          [&] { return test::Seen(m_done >= count, std::to_string(m_done)); });
  }

 private:
  // Counted at the very end: after the last one this object may be gone.
  void answered(Slot& slot) {
    std::size_t left = m_again != nullptr && slot.outcome.rc == 0 ? m_left.load() : 0;
    while (left > 0 && !m_left.compare_exchange_weak(left, left - 1)) {
    }
    if (left > 0) submit(*m_again, slot);
    m_done.fetch_add(1);
  }

  std::vector<Slot> m_slots;
  std::atomic<std::size_t> m_done{0};
  DriveTarget* m_again = nullptr;
  std::atomic<std::size_t> m_left{0};
  std::mutex m_submitting;
  engine::RealLoop m_clock;
};

// The object and block of a slot: each has its own place.
Op op_of(OpKind kind, std::size_t i) {
  Op op;
  op.kind = kind;
  op.object = i % 3;
  op.offset = (i / 3) * block;
  op.length = kind == OpKind::flush ? 0 : block;
  return op;
}

base::Descriptor opened(const std::string& path, int flags) {
  constexpr mode_t mode = 0600;
  return base::Descriptor(::open(path.c_str(), flags | O_DIRECT | O_CLOEXEC, mode));
}

struct Way {
  const char* name;
  bool ring;
  bool paced;
};
constexpr Way own_ring{"OwnRing", true, false};
constexpr Way shared_ring{"SharedRing", true, true};
constexpr Way threads{"Threads", false, false};

DriveTargetOptions options_of(const Way& way, Time farewell = seconds(5)) {
  return {.object_size = Bytes{object_bytes},
          .ring = way.ring,
          .paced = way.paced,
          .farewell = farewell};
}
std::string name_of(const testing::TestParamInfo<Way>& way) {
  return way.param.name;
}

class Drives : public testing::TestWithParam<Way> {
 protected:
  // A container may forbid io_uring: then there is only the other way.
  void SetUp() override {
    if (GetParam().ring && !why_no_ring().empty()) GTEST_SKIP() << why_no_ring();
  }
  DriveTargetOptions options() const { return options_of(GetParam()); }

  test::DiskFolder m_folder;
  std::string m_path = m_folder.file("drive");
};

INSTANTIATE_TEST_SUITE_P(Ways, Drives, testing::Values(own_ring, shared_ring, threads), name_of);

TEST_P(Drives, ReadsReturnWhatWasWrittenThere) {
  constexpr std::size_t count = 24;
  Slots slots(count);
  DriveTarget drive(opened(m_path, O_RDWR | O_CREAT), options());
  ASSERT_TRUE(drive.attach(slots.all()));
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(slots[i].buffer.data()) % block, 0U);
    std::memset(slots[i].buffer.data(), static_cast<int>(i + 1), block);
    slots[i].op = op_of(OpKind::write, i);
    drive.submit(slots[i]);
  }
  ASSERT_TRUE(slots.wait_for(count));
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(slots[i].outcome.rc, 0);
    EXPECT_EQ(slots[i].outcome.bytes, block);
    EXPECT_GT(slots[i].completed, Time(0)) << "the answer has a time";
    slots[i].op = op_of(OpKind::read, count - 1 - i);
    drive.submit(slots[i]);
  }
  ASSERT_TRUE(slots.wait_for(2 * count));
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(slots[i].received.size(), block);
    EXPECT_EQ(slots[i].received[0], static_cast<std::byte>(count - i));
    EXPECT_EQ(slots[i].received[block - 1], static_cast<std::byte>(count - i));
  }
  EXPECT_TRUE(drive.flush());
}

TEST_P(Drives, ObjectsLieOneBehindTheOther) {
  Slots slots(2);
  {
    DriveTarget drive(opened(m_path, O_RDWR | O_CREAT), options());
    ASSERT_TRUE(drive.attach(slots.all()));
    std::memset(slots[0].buffer.data(), 'x', block);
    slots[0].op = {.object = 2, .offset = 3 * block, .length = block, .kind = OpKind::write};
    drive.submit(slots[0]);
    ASSERT_TRUE(slots.wait_for(1));
  }
  const base::Descriptor file(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC));
  char byte = 0;
  constexpr off_t place = 2 * object_bytes + 3 * block;
  ASSERT_EQ(::pread(file.get(), &byte, 1, place), 1);
  EXPECT_EQ(byte, 'x');
  EXPECT_EQ(::lseek(file.get(), 0, SEEK_END), place + block);
}

TEST_P(Drives, FailuresAreCountedByTheirErrno) {
  { const base::Descriptor made = opened(m_path, O_RDWR | O_CREAT); }
  Slots slots(4);
  DriveTarget drive(opened(m_path, O_RDONLY), options());
  ASSERT_TRUE(drive.attach(slots.all()));
  slots[0].op = op_of(OpKind::write, 0);
  slots[1].op = op_of(OpKind::read, 0);
  slots[2].op = op_of(OpKind::discard, 0);
  slots[3].op = op_of(OpKind::flush, 0);
  for (std::size_t i = 0; i < 4; ++i) drive.submit(slots[i]);
  ASSERT_TRUE(slots.wait_for(4));
  EXPECT_EQ(slots[0].outcome.rc, -EBADF) << "it is open for reading only";
  EXPECT_EQ(slots[1].outcome.rc, rc_short_read) << "the file is empty";
  EXPECT_EQ(slots[2].outcome.rc, -EOPNOTSUPP);
  EXPECT_EQ(slots[3].outcome.rc, 0);
}

TEST_P(Drives, DurableWritesAndTheNextPass_UseTheSameFile) {
  DriveTargetOptions durable = options();
  durable.sync_writes = true;
  DriveTarget drive(opened(m_path, O_RDWR | O_CREAT), durable);
  for (const std::size_t count : {8U, 2U}) {
    Slots slots(count);
    ASSERT_TRUE(drive.attach(slots.all()));
    for (std::size_t i = 0; i < count; ++i) {
      slots[i].op = op_of(OpKind::write, i);
      drive.submit(slots[i]);
    }
    ASSERT_TRUE(slots.wait_for(count));
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(slots[i].outcome.rc, 0);
  }
}

// As in a closed loop; meanwhile this thread sends as well.
TEST_P(Drives, OperationsSentFromAnswersAndByOthers_AreAllAnswered) {
  constexpr std::size_t count = 16;
  constexpr std::size_t again = 2000;
  Slots slots(count);
  DriveTarget drive(opened(m_path, O_RDWR | O_CREAT), options());
  ASSERT_TRUE(drive.attach(slots.all()));
  slots.send_again(drive, again);
  for (std::size_t i = 0; i < count; ++i) {
    slots[i].op = op_of(OpKind::write, i);
    slots.submit(drive, slots[i]);
  }
  ASSERT_TRUE(slots.wait_for(count + again));
  EXPECT_EQ(slots.done(), count + again);
  for (std::size_t i = 0; i < count; ++i) {
    slots.submit(drive, slots[i]);
    ASSERT_TRUE(slots.wait_for(count + again + i + 1)) << "alone, after a pause";
  }
}

TEST_P(Drives, DestroyedUnderLoad_EachSlotCompletesOnce) {
  constexpr std::size_t count = 64;
  Slots slots(count);
  {
    DriveTarget drive(opened(m_path, O_RDWR | O_CREAT), options());
    ASSERT_TRUE(drive.attach(slots.all()));
    for (std::size_t i = 0; i < count; ++i) {
      slots[i].op = op_of(OpKind::write, i % 48);
      drive.submit(slots[i]);
    }
  }
  EXPECT_EQ(slots.done(), count);
  EXPECT_EQ(cluster::abandoned_work(), 0) << "a file answers all of them";
}

void expect_cancel_and_late_answer(const Way& way) {
  SCOPED_TRACE(way.name);
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  base::Descriptor reader(ends[0]);
  const base::Descriptor writer(ends[1]);
  Slots slots(2);
  {
    DriveTarget drive(std::move(reader), options_of(way, milliseconds(50)));
    ASSERT_TRUE(drive.attach(slots.all()));
    slots[0].op = op_of(OpKind::read, 0);
    drive.submit(slots[0]);
    drive.cancel();
    ASSERT_TRUE(slots.wait_for(1));
    EXPECT_EQ(slots[0].outcome.rc, -ECANCELED);
    slots[1].op = op_of(OpKind::read, 1);
    drive.submit(slots[1]);
    EXPECT_EQ(slots[1].outcome.rc, -ECANCELED) << "after the cancel nothing is sent";
  }
  EXPECT_EQ(cluster::abandoned_work(), 1) << "the kernel may still write into the memory";
  ASSERT_EQ(::write(writer.get(), "late", 4), 4);
  EXPECT_TRUE(
      test::wait_for("the abandoned work to end", [] { return cluster::abandoned_work() == 0; }));
  EXPECT_EQ(slots.done(), 2U) << "the late answer is ignored";
}

// A read of an empty pipe stands for a drive that does not answer.
TEST(SilentDrive, CancelAnswersTheSlotsAndTheLateAnswerFreesTheRest) {
  if (!why_no_ring().empty()) GTEST_SKIP() << why_no_ring();
  expect_cancel_and_late_answer(own_ring);
  expect_cancel_and_late_answer(shared_ring);
}

}  // namespace
}  // namespace radosload::target
