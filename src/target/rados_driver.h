// What belongs to one slot beneath the rados target: names, buffers and completions, made once and
// used again for every operation. Private to the target.
//
// Why two flights: librados writes into a completion after it has sent the operation (its tid), so
// the completion may be released only when both the submitting call has returned and the callback
// has run. The callback may come first, and may submit the slot again while the first submit() is
// still on its way out; that second operation needs a completion and a result of its own.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "radosload/pattern.h"
#include "radosload/target.h"

#include "target/rados_target.h"
#include "target/slot_bytes.h"

#include <rados/librados.hpp>

namespace radosload::target {

struct Driver;

// One operation from submit() until its submitter, callback and cancels are done with it.
struct Flight {
  // The number of holders: the submitting call, the callback, a cancel. 0: free for use.
  std::atomic<int> holders{0};
  librados::AioCompletion* completion = nullptr;
  Driver* driver = nullptr;

  librados::bufferlist received;                       // read
  std::map<std::string, librados::bufferlist> values;  // omap_get
  std::vector<std::byte> joined;                       // several of those values in a row
  int read_rc = 0;  // of the part of a compound operation; the whole one's says enough
  std::uint64_t size = 0;
  std::time_t changed = 0;

  // Joins the holders of an operation in flight; false when there is none.
  bool hold() noexcept {
    int count = holders.load();
    while (count > 0) {
      if (holders.compare_exchange_weak(count, count + 1, std::memory_order_acq_rel)) return true;
    }
    return false;
  }
  // Leaves; the last holder releases the completion. As soon as the count is zero, the flight may
  // be reused or destroyed with its target.
  void let_go() noexcept {
    librados::AioCompletion* const held = completion;
    if (holders.fetch_sub(1, std::memory_order_acq_rel) == 1) held->release();
  }
};

struct alignas(64) Driver {
  Slot* slot = nullptr;
  librados::IoCtx* pool = nullptr;
  const RadosTargetOptions* options = nullptr;

  std::string name;  // of the object, rewritten in place
  SendBuffer sent;
  std::map<std::string, librados::bufferlist> sets;  // omap_set: values within the buffer, or empty
  std::set<std::string> keys;                        // omap_get

  std::array<Flight, 2> flights;
  std::atomic<std::uint32_t> submits{0};  // tells a callback that the slot is in flight again
  std::atomic<bool> listing{false};       // a listing is queued or running
};

void prepare(Driver& driver, Slot& slot, librados::IoCtx& pool, const RadosTargetOptions& options);
void ready_buffer(Driver& driver) noexcept;
// For a driver whose slot is no longer used: frees its buffer for the next payload.
void release_buffer(Driver& driver) noexcept;

// Submits the slot's operation to librados. Negative when librados refused it; then there is no
// callback.
int issue(Driver& driver, Flight& flight) noexcept;

// The operation's outcome; also sets the slot's `received`.
Outcome outcome_of(Flight& flight) noexcept;

}  // namespace radosload::target
