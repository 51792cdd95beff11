// RBD images, through librbd: what carries out the operations of `--target rbd`. The images of a
// run lie one behind the other in the space of objects that a layout numbers: an operation's object
// is a data object of one of them. Knows nothing of pacing, recording or what is in the images.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "radosload/pattern.h"
#include "radosload/result.h"
#include "radosload/target.h"
#include "radosload/units.h"

#include "cluster/image.h"

namespace radosload::target {

// One lane: images opened through one cluster handle. Its operations go to objects of those alone.
struct RbdLane {
  std::vector<std::shared_ptr<cluster::Image>> images;
  std::uint64_t first_image = 0;  // the number of images.front() among those of the run
};

struct RbdTargetOptions {
  Bytes object_size;
  std::uint64_t objects_per_image = 1;
  CacheMode cache = CacheMode::warm;        // bypass: FADVISE_DONTNEED on every read and write
  Time farewell = std::chrono::seconds(5);  // the destructor waits this long for late callbacks
};

// read, write, flush (of the image that the operation's object lies in) and discard; anything else
// completes with -EOPNOTSUPP.
//
// librbd has no way to give up an operation. cancel() completes the slots all the same; what comes
// back from below after that is ignored, and until it has come back (rados_osd_op_timeout sees to
// it) librbd may still read what was sent: that memory is librbd's as much as the target's.
class RbdTarget final : public Target {
 public:
  RbdTarget(std::vector<RbdLane> lanes, RbdTargetOptions options);
  // Cancels, and waits up to options.farewell. What has not come back by then keeps its memory and
  // its image until it does, and counts as abandoned (cluster::abandoned_work).
  ~RbdTarget() override;
  RbdTarget(const RbdTarget&) = delete;
  RbdTarget& operator=(const RbdTarget&) = delete;
  RbdTarget(RbdTarget&&) = delete;
  RbdTarget& operator=(RbdTarget&&) = delete;

  Status attach(std::span<Slot> slots) override;
  void ready_buffer(Slot& slot) noexcept override;
  void submit(Slot& slot) noexcept override;
  void cancel() noexcept override;
  bool carries_data() const noexcept override { return true; }

 private:
  struct Core;
  std::shared_ptr<Core> m_core;
};

}  // namespace radosload::target
