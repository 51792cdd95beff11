#include "target/drive_target.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <unistd.h>
#include <utility>
#include <vector>

#include "target/drive_queue.h"
#include "target/late_answers.h"

#include <fmt/format.h>

namespace radosload::target {

namespace {

// No device needs more for O_DIRECT, and a page is the unit in which the kernel pins memory.
constexpr std::size_t alignment = 4096;

constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

struct Freed {
  void operator()(std::byte* memory) const noexcept { std::free(memory); }
};

// The slots of one pass.
struct Set {
  std::unique_ptr<std::byte, Freed> memory;
  std::vector<DriveOp> ops;
  std::vector<std::unique_ptr<DriveQueue>> queues;  // one for each lane; gone before the rest
};

Error not_started(std::string reason, int errnum) {
  return {.attempt = "start the load",
          .reason = std::move(reason),
          .hint = "lower --qd or --clients",
          .errnum = errnum};
}

}  // namespace

struct DriveTarget::Core {
  base::Descriptor file;
  DriveTargetOptions options;
  // Of every pass; earlier ones are kept while the kernel may still answer.
  std::vector<std::unique_ptr<Set>> sets;
  std::mutex sets_mutex;  // attach against cancel; never taken by submit or an answer
  std::atomic<bool> cancelled{false};

  DriveAccess access() const { return {.fd = file.get(), .sync_writes = options.sync_writes}; }
  bool quiet() {
    const std::lock_guard lock(sets_mutex);
    return std::all_of(sets.begin(), sets.end(), [](const auto& set) { return is_quiet(*set); });
  }
  static bool is_quiet(const Set& set) {
    return std::all_of(set.queues.begin(), set.queues.end(),
                       [](const auto& queue) { return queue->quiet(); });
  }

  Status give_memory(Set& set, std::span<Slot> slots) const;
  Status open_queues(Set& set, std::span<const Slot> slots) const;
};

Status DriveTarget::Core::give_memory(Set& set, std::span<Slot> slots) const {
  std::size_t bytes = 0;
  for (const Slot& slot : slots) bytes += rounded(slot.room);
  set.ops = std::vector<DriveOp>(slots.size());
  if (bytes > 0) {
    set.memory.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, bytes)));
    if (!set.memory) {
      return fail(not_started(fmt::format("no memory for buffers of {}", human_text(Bytes{bytes})),
                              ENOMEM));
    }
    // So that the first operations do not wait for the kernel to provide pages.
    std::fill_n(set.memory.get(), bytes, std::byte{0});
  }
  std::byte* next = set.memory.get();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    set.ops[i].slot = &slots[i];
    set.ops[i].memory = next;
    slots[i].driver = &set.ops[i];
    slots[i].buffer = {next, slots[i].room};
    next += rounded(slots[i].room);
  }
  return {};
}

Status DriveTarget::Core::open_queues(Set& set, std::span<const Slot> slots) const {
  std::vector<std::uint32_t> depths;
  for (const Slot& slot : slots) {
    if (slot.lane >= depths.size()) depths.resize(slot.lane + 1, 0);
    ++depths[slot.lane];
  }
  for (const std::uint32_t depth : depths) {
    set.queues.push_back(options.ring ? make_drive_ring(access(), depth)
                                      : make_drive_threads(access(), depth));
    if (set.queues.back()) continue;
    set.queues.pop_back();
    return fail(not_started(fmt::format("the kernel gave no {} for {} operations in flight",
                                        options.ring ? "ring (io_uring)" : "threads", depth),
                            0));
  }
  return {};
}

DriveTarget::DriveTarget(base::Descriptor file, DriveTargetOptions options)
    : m_core(std::make_shared<Core>()) {
  m_core->file = std::move(file);
  m_core->options = options;
}

DriveTarget::~DriveTarget() {
  cancel();
  const Time farewell = m_core->options.farewell;
  leave_to_late_answers(std::move(m_core), farewell);
}

Status DriveTarget::attach(std::span<Slot> slots) {
  Core& core = *m_core;
  auto set = std::make_unique<Set>();
  RADOSLOAD_TRY(core.give_memory(*set, slots));
  RADOSLOAD_TRY(core.open_queues(*set, slots));
  const std::lock_guard lock(core.sets_mutex);
  std::erase_if(core.sets, [](const auto& before) { return Core::is_quiet(*before); });
  core.sets.push_back(std::move(set));
  core.cancelled = false;
  return {};
}

void DriveTarget::submit(Slot& slot) noexcept {
  Core& core = *m_core;
  if (core.cancelled.load(std::memory_order_relaxed)) return slot.complete({.rc = -ECANCELED});
  const Op& wanted = slot.op;
  const bool known =
      wanted.kind == OpKind::read || wanted.kind == OpKind::write || wanted.kind == OpKind::flush;
  if (!known) return slot.complete({.rc = -EOPNOTSUPP});
  DriveOp& op = *static_cast<DriveOp*>(slot.driver);
  op.kind = wanted.kind;
  op.length = wanted.length;
  op.offset = wanted.object * core.options.object_size.count + wanted.offset;
  op.flight.store(DriveFlight::flying, std::memory_order_release);
  core.sets.back()->queues[slot.lane]->send(op);
  // A cancel before `flying` was set did not see the operation; this check sees the cancel. It may
  // already have completed and the slot be in flight again.
  if (core.cancelled) op.give_up();
}

void DriveTarget::cancel() noexcept {
  m_core->cancelled = true;
  const std::lock_guard lock(m_core->sets_mutex);
  for (const auto& set : m_core->sets) {
    for (DriveOp& op : set->ops) op.give_up();
  }
}

Status DriveTarget::flush() {
  if (::fsync(m_core->file.get()) == 0) return {};
  return fail({.attempt = "flush what was written to the drive", .errnum = errno});
}

}  // namespace radosload::target
