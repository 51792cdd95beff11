#include "target/rbd_target.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <utility>

#include "target/late_answers.h"
#include "target/slot_bytes.h"

#include <fmt/format.h>
#include <rbd/librbd.hpp>

namespace radosload::target {

namespace {

using Completion = librbd::RBD::AioCompletion;

// Exactly one thread completes the slot: the one that takes the operation out of `flying`.
enum class ImageFlight : std::uint8_t { none, flying, given_up };

struct alignas(64) ImageDriver {
  Slot* slot = nullptr;
  const RbdLane* lane = nullptr;
  const RbdTargetOptions* options = nullptr;
  SendBuffer sent;
  librados::bufferlist received;
  std::atomic<ImageFlight> flight{ImageFlight::none};
  // Operations without an answer from librbd, and calls of submit() that have not returned.
  std::atomic<std::uint32_t> below{0};
};

bool nothing_below(const ImageDriver& driver) {
  return driver.below.load(std::memory_order_acquire) == 0;
}

librbd::Image& image_of(const ImageDriver& driver) {
  const std::uint64_t number = driver.slot->op.object / driver.options->objects_per_image;
  return driver.lane->images[number - driver.lane->first_image]->handle();
}

std::uint64_t offset_in_image(const ImageDriver& driver) {
  const Op& op = driver.slot->op;
  const std::uint64_t object = op.object % driver.options->objects_per_image;
  return object * driver.options->object_size.count + op.offset;
}

int issue(ImageDriver& driver, Completion* completion) {
  const Op& op = driver.slot->op;
  const int flags =
      driver.options->cache == CacheMode::bypass ? int{LIBRADOS_OP_FLAG_FADVISE_DONTNEED} : 0;
  librbd::Image& image = image_of(driver);
  switch (op.kind) {
    case OpKind::read:
      driver.received.clear();
      return image.aio_read2(offset_in_image(driver), op.length, driver.received, completion,
                             flags);
    case OpKind::write: {
      // librbd copies the list; its interface only lacks the const.
      auto& bytes = const_cast<librados::bufferlist&>(driver.sent.bytes(op.length));
      return image.aio_write2(offset_in_image(driver), op.length, bytes, completion, flags);
    }
    case OpKind::flush:
      return image.aio_flush(completion);
    case OpKind::discard:
      return image.aio_discard(offset_in_image(driver), op.length, completion);
    default:
      return -EOPNOTSUPP;
  }
}

Outcome outcome_of(ImageDriver& driver, ssize_t rc) {
  Slot& slot = *driver.slot;
  slot.received = {};
  if (rc < 0) return {.rc = static_cast<std::int32_t>(rc)};
  if (slot.op.kind == OpKind::flush) return {};
  if (slot.op.kind == OpKind::read) {
    slot.received = contiguous(driver.received);
    if (slot.received.size() < slot.op.length) return {.rc = rc_short_read};
  }
  return {.bytes = slot.op.length};
}

void on_image_answer(librbd::completion_t, void* argument) noexcept;

}  // namespace

struct RbdTarget::Core {
  std::vector<RbdLane> lanes;
  RbdTargetOptions options;
  // Of every pass; earlier ones are kept, because a late callback may still use them.
  std::vector<std::vector<ImageDriver>> sets;
  std::mutex sets_mutex;  // attach against cancel; never taken by submit or a callback
  std::atomic<bool> cancelled{false};

  bool quiet() {
    const std::lock_guard lock(sets_mutex);
    return std::all_of(sets.begin(), sets.end(), [](const std::vector<ImageDriver>& set) {
      return std::all_of(set.begin(), set.end(), nothing_below);
    });
  }
};

namespace {

void on_image_answer(librbd::completion_t given, void* argument) noexcept {
  ImageDriver& driver = *static_cast<ImageDriver*>(argument);
  const bool ours =
      driver.flight.exchange(ImageFlight::none, std::memory_order_acq_rel) == ImageFlight::flying;
  if (ours) driver.slot->answered();
  auto* const completion = static_cast<Completion*>(given);
  const ssize_t rc = completion->get_return_value();
  completion->release();
  // This may send the slot's next operation.
  if (ours) driver.slot->finish(outcome_of(driver, rc));
  driver.below.fetch_sub(1, std::memory_order_release);
}

bool give_up(ImageDriver& driver) noexcept {
  auto flying = ImageFlight::flying;
  return driver.flight.compare_exchange_strong(flying, ImageFlight::given_up);
}

}  // namespace

RbdTarget::RbdTarget(std::vector<RbdLane> lanes, RbdTargetOptions options)
    : m_core(std::make_shared<Core>()) {
  m_core->lanes = std::move(lanes);
  m_core->options = options;
}

RbdTarget::~RbdTarget() {
  cancel();
  const Time farewell = m_core->options.farewell;
  leave_to_late_answers(std::move(m_core), farewell);
}

Status RbdTarget::attach(std::span<Slot> slots) {
  Core& core = *m_core;
  std::vector<ImageDriver> set(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Slot& slot = slots[i];
    if (slot.lane >= core.lanes.size()) {
      return fail({.attempt = "start the load",
                   .reason = fmt::format("internal error: no images for lane {}", slot.lane),
                   .errnum = EINVAL});
    }
    ImageDriver& driver = set[i];
    driver.slot = &slot;
    driver.lane = &core.lanes[slot.lane];
    driver.options = &core.options;
    driver.sent.serve(slot);
    slot.driver = &driver;
  }
  const std::lock_guard lock(core.sets_mutex);
  for (std::vector<ImageDriver>& before : core.sets) {
    for (ImageDriver& driver : before) {
      if (nothing_below(driver)) driver.sent = {};
    }
  }
  core.sets.push_back(std::move(set));
  core.cancelled = false;
  return {};
}

void RbdTarget::ready_buffer(Slot& slot) noexcept {
  static_cast<ImageDriver*>(slot.driver)->sent.renew(slot);
}

void RbdTarget::submit(Slot& slot) noexcept {
  ImageDriver& driver = *static_cast<ImageDriver*>(slot.driver);
  Core& core = *m_core;
  if (core.cancelled.load(std::memory_order_relaxed)) return slot.complete({.rc = -ECANCELED});
  driver.flight.store(ImageFlight::flying, std::memory_order_release);
  constexpr std::uint32_t submitter_and_answer = 2;
  driver.below.fetch_add(submitter_and_answer, std::memory_order_relaxed);
  // Without memory for it the process may well end.
  // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new)
  auto* const completion = new Completion(&driver, on_image_answer);
  if (const int rc = issue(driver, completion); rc < 0) {
    completion->release();
    const ImageFlight before = driver.flight.exchange(ImageFlight::none, std::memory_order_acq_rel);
    driver.below.fetch_sub(submitter_and_answer, std::memory_order_release);
    if (before == ImageFlight::flying) slot.complete({.rc = rc});
    return;
  }
  // The operation may already have completed and the slot be in flight again. A cancel before
  // `flying` was set did not see the operation; this check sees the cancel.
  if (core.cancelled && give_up(driver)) slot.complete({.rc = -ECANCELED});
  driver.below.fetch_sub(1, std::memory_order_release);
}

void RbdTarget::cancel() noexcept {
  m_core->cancelled = true;
  const std::lock_guard lock(m_core->sets_mutex);
  for (std::vector<ImageDriver>& set : m_core->sets) {
    for (ImageDriver& driver : set) {
      if (give_up(driver)) driver.slot->complete({.rc = -ECANCELED});
    }
  }
}

}  // namespace radosload::target
