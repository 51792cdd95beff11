// RBD images, through librbd: the target of `--target rbd`. The layout numbers the data objects of
// all images of the run, one image after the other; an operation's object number selects an image
// and a data object in it. Knows nothing of pacing, recording or the content of images.
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

// One lane: images opened through one cluster handle. Its operations use only these images.
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

// read, write, flush (of the image with the operation's object) and discard; anything else
// completes with -EOPNOTSUPP.
//
// librbd cannot cancel an operation. cancel() completes the slots anyway, and later answers from
// librbd are ignored. Until they come (rados_osd_op_timeout limits that) librbd may still read what
// was sent: librbd shares the ownership of that memory.
class RbdTarget final : public Target {
 public:
  RbdTarget(std::vector<RbdLane> lanes, RbdTargetOptions options);
  // Cancels, and waits up to options.farewell. Unanswered operations keep their memory and their
  // image until they end, and count as abandoned (cluster::abandoned_work).
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
