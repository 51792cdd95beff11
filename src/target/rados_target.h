// Objects in a pool, through librados: what carries out the operations of `--target rados`. Each
// lane is one cluster handle; lanes share nothing on the way of an operation. Knows nothing of
// pacing, recording or what is in the objects.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "radosload/pattern.h"
#include "radosload/result.h"
#include "radosload/target.h"
#include "radosload/units.h"

#include "cluster/connection.h"
#include "workload/layout.h"

#include <rados/librados.hpp>

namespace radosload::target {

// One lane: a handle, and the pool opened through it with the namespace set.
struct RadosLane {
  std::shared_ptr<cluster::Connection> connection;
  librados::IoCtx pool;
};

struct RadosTargetOptions {
  std::string dataset;  // the objects are named after the run that made them
  Bytes object_size;    // on a pool without overwrites a write of all of it replaces the object
  Bytes omap_value;     // Layout::block of omap patterns: bytes of one key's value
  workload::PoolTraits traits;
  CacheMode cache = CacheMode::warm;        // bypass: FADVISE_DONTNEED on every read and write
  Time farewell = std::chrono::seconds(5);  // the destructor waits this long for late callbacks
};

// What each operation becomes: read, write (write_full where it covers an object of a pool without
// overwrites), omap_set and omap_get of length / omap_value keys from offset / omap_value on, stat,
// create (exclusive: EEXIST when it is there), remove; list goes through the names of slice
// `object` of `offset` slices of the namespace, on threads of the target's, as librados can list
// only synchronously. flush and discard complete with -EOPNOTSUPP.
//
// On a pool without overwrites a write beyond offset 0 must begin where the object ends. RADOS
// carries out the pieces of an object in the order of their submission, which nobody promises when
// several threads submit for a lane; so lay_out() has such pools prefilled by whole objects.
//
// A read that returns less than it asked for completes with rc_short_read and what there was.
// The payload of a write is sent from the slot's buffer, not from a copy of it; librados shares in
// owning that memory, and may read it for as long as it likes.
class RadosTarget final : public Target {
 public:
  RadosTarget(std::vector<RadosLane> lanes, RadosTargetOptions options);
  // Cancels, and waits up to options.farewell. What has not come back by then keeps its memory, and
  // its cluster handle, until it does, and counts as abandoned (cluster::abandoned_work).
  ~RadosTarget() override;
  RadosTarget(const RadosTarget&) = delete;
  RadosTarget& operator=(const RadosTarget&) = delete;
  RadosTarget(RadosTarget&&) = delete;
  RadosTarget& operator=(RadosTarget&&) = delete;

  Status attach(std::span<Slot> slots) override;
  void ready_buffer(Slot& slot) noexcept override;
  void submit(Slot& slot) noexcept override;
  // After it submit() completes inline with -ECANCELED, until the next attach().
  void cancel() noexcept override;
  bool carries_data() const noexcept override { return true; }

  // How many operations have not come back. Any thread; goes through all slots. One whose slot has
  // completed is counted until its callback has returned, which may be a moment later.
  std::size_t outstanding() const noexcept;

 private:
  struct Core;
  std::shared_ptr<Core> m_core;
};

}  // namespace radosload::target
