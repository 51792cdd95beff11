#include "target/drive_target.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <unistd.h>
#include <utility>
#include <vector>

#include "target/blocking_slots.h"
#include "target/drive_queue.h"
#include "target/late_answers.h"

#include <fmt/format.h>

namespace radosload::target {

namespace {

// The slots of one pass.
struct Set {
  BlockingSlots slots;
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

  std::unique_ptr<DriveQueue> queue(std::uint32_t depth) const;
  Status open_queues(Set& set, std::span<const Slot> slots) const;
};

std::unique_ptr<DriveQueue> DriveTarget::Core::queue(std::uint32_t depth) const {
  if (!options.ring) return make_drive_threads(access(), depth);
  if (!options.paced) {
    // A kernel before 6.1 has no such ring.
    if (auto own = make_own_ring(access(), depth)) return own;
  }
  return make_shared_ring(access(), depth);
}

Status DriveTarget::Core::open_queues(Set& set, std::span<const Slot> slots) const {
  std::vector<std::uint32_t> depths;
  for (const Slot& slot : slots) {
    if (slot.lane >= depths.size()) depths.resize(slot.lane + 1, 0);
    ++depths[slot.lane];
  }
  for (const std::uint32_t depth : depths) {
    set.queues.push_back(queue(depth));
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
  RADOSLOAD_TRY(set->slots.serve(slots));
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
  BlockingOp& op = *static_cast<BlockingOp*>(slot.driver);
  op.kind = wanted.kind;
  op.length = wanted.length;
  op.offset = wanted.object * core.options.object_size.count + wanted.offset;
  op.flight.store(BlockingFlight::flying, std::memory_order_release);
  core.sets.back()->queues[slot.lane]->send(op);
  // A cancel before `flying` was set did not see the operation; this check sees the cancel. It may
  // already have completed and the slot be in flight again.
  if (core.cancelled) op.give_up();
}

void DriveTarget::cancel() noexcept {
  m_core->cancelled = true;
  const std::lock_guard lock(m_core->sets_mutex);
  for (const auto& set : m_core->sets) {
    set->slots.give_up();
  }
}

Status DriveTarget::flush() {
  if (::fsync(m_core->file.get()) == 0) return {};
  return fail({.attempt = "flush what was written to the drive", .errnum = errno});
}

}  // namespace radosload::target
