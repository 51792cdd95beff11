// The same for images: the least that puts this load on one, through librbd, without its cache and
// without its scheduler (tools/bench/rbd_cost.py).
//
//   bare_librbd POOL IMAGE read|write BLOCKS BYTES DEPTH WARMUP_S SECONDS|0 [OPS]
//
// The image exists, and holds what is to be read. Prints one JSON object.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bare_loop.h"

#include <rados/librados.hpp>
#include <rbd/librbd.hpp>

namespace {

using bare::check;

struct Load {
  librbd::Image image;
  bool writes = false;
  std::uint64_t blocks = 1;
  std::size_t bytes = 0;
  bare::Extent extent;
  bare::Counters counters;
};

struct Slot {
  Load* load = nullptr;
  std::uint64_t random = 0;
  std::vector<char> memory;
  librados::bufferlist data;
};

void on_answer(librbd::completion_t given, void* argument);

void submit(Slot& slot) {
  Load& load = *slot.load;
  const std::uint64_t offset = bare::draw(slot.random) % load.blocks * load.bytes;
  auto* const completion = new librbd::RBD::AioCompletion(&slot, on_answer);
  if (load.writes) {
    std::memcpy(slot.memory.data(), &slot.random, sizeof slot.random);
    slot.data.invalidate_crc();
    check(load.image.aio_write2(offset, load.bytes, slot.data, completion, 0), "write");
  } else {
    slot.data.clear();
    check(load.image.aio_read2(offset, load.bytes, slot.data, completion, 0), "read");
  }
}

void on_answer(librbd::completion_t given, void* argument) {
  Slot& slot = *static_cast<Slot*>(argument);
  auto* const completion = static_cast<librbd::RBD::AioCompletion*>(given);
  const std::int64_t rc = completion->get_return_value();
  completion->release();
  if (slot.load->counters.answered(rc, slot.load->extent.ops)) submit(slot);
}

void start(Load& load, std::vector<Slot>& slots) {
  load.counters.in_flight = static_cast<unsigned>(slots.size());
  load.counters.sent = slots.size();
  std::uint64_t seed = bare::seed_step;
  for (Slot& slot : slots) {
    slot.load = &load;
    slot.random = seed += bare::seed_step;
    if (load.writes) {
      slot.memory.assign(load.bytes, 'x');
      slot.data.append(ceph::bufferptr(
          ceph::buffer::create_static(static_cast<unsigned>(load.bytes), slot.memory.data())));
    }
  }
  for (Slot& slot : slots) submit(slot);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 9) {
    std::fprintf(stderr,
                 "usage: %s POOL IMAGE read|write BLOCKS BYTES DEPTH WARMUP_S SECONDS|0 [OPS]\n",
                 arguments[0]);
    return 2;
  }
  librados::Rados rados;
  librados::IoCtx pool;
  Load load;
  load.writes = std::strcmp(arguments[3], "write") == 0;
  load.blocks = std::strtoull(arguments[4], nullptr, 10);
  load.bytes = std::strtoull(arguments[5], nullptr, 10);
  load.extent = {std::strtod(arguments[7], nullptr), std::strtod(arguments[8], nullptr),
                 count > 9 ? std::strtoull(arguments[9], nullptr, 10) : 0};
  check(rados.init(nullptr), "init");
  check(rados.conf_read_file(nullptr), "read the config");
  check(rados.conf_set("rbd_cache", "false"), "switch the cache off");
  check(rados.conf_set("rbd_io_scheduler", "none"), "switch the scheduler off");
  check(rados.connect(), "connect");
  check(rados.ioctx_create(arguments[1], pool), "open the pool");
  check(librbd::RBD().open(pool, load.image, arguments[2]), "open the image");
  std::vector<Slot> slots(std::strtoul(arguments[6], nullptr, 10));
  start(load, slots);
  bare::measure(load.counters, load.extent);
  load.counters.stopped = true;
  bare::await_end(load.counters);
  const bool failed = load.counters.failed > 0;
  load.image.close();
  pool.close();
  rados.shutdown();
  return failed ? 1 : 0;
}
