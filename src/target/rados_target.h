// Objects in a pool, through librados: the target of `--target rados`. Each lane has its own
// cluster handle; lanes share nothing while operations are sent. Knows nothing of pacing, recording
// or the content of objects.
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
// create (exclusive: EEXIST when the object exists), remove; list reads the names of slice `object`
// of `offset` slices of the namespace, on the target's own threads, because librados lists only
// synchronously. flush and discard complete with -EOPNOTSUPP.
//
// On a pool without overwrites a write beyond offset 0 must begin where the object ends. RADOS
// carries out the pieces of an object in the order of their submission, which is not defined when
// several threads submit for a lane; so lay_out() prefills such pools by whole objects.
//
// A read that returns fewer bytes than requested completes with rc_short_read and the bytes that
// exist. The payload of a write is sent from the slot's buffer, not from a copy; librados shares
// the ownership of that memory, and may read it for as long as it likes.
class RadosTarget final : public Target {
 public:
  RadosTarget(std::vector<RadosLane> lanes, RadosTargetOptions options);
  // Cancels, and waits up to options.farewell. Unanswered operations keep their memory and their
  // cluster handle until they end, and count as abandoned (cluster::abandoned_work).
  ~RadosTarget() override;
  RadosTarget(const RadosTarget&) = delete;
  RadosTarget& operator=(const RadosTarget&) = delete;
  RadosTarget(RadosTarget&&) = delete;
  RadosTarget& operator=(RadosTarget&&) = delete;

  Status attach(std::span<Slot> slots) override;
  void ready_buffer(Slot& slot) noexcept override;
  void submit(Slot& slot) noexcept override;
  void cancel() noexcept override;
  bool carries_data() const noexcept override { return true; }

  // The number of unanswered operations. Any thread; reads all slots. An operation whose slot has
  // completed counts until its callback has returned, which may take a moment longer.
  std::size_t outstanding() const noexcept;

 private:
  struct Core;
  std::shared_ptr<Core> m_core;
};

}  // namespace radosload::target
