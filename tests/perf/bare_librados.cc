// The least that puts this load on a pool: slots whose callbacks send the next operation. No times
// are taken, nothing is counted but completions, nothing is checked. What radosload costs is held
// against it (tools/bench/client_cost.py): same library, same allocator, same objects.
//
//   bare_librados POOL NAMESPACE read|write OBJECTS BYTES DEPTH WARMUP_S SECONDS|0 [OPS]
//
// With 0 seconds it ends after OPS operations instead. Prints one JSON object.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "bare_loop.h"

#include <rados/librados.hpp>

namespace {

using bare::check;

struct Words {
  std::string pool;
  std::string nspace;
  bool writes = false;
  std::uint64_t objects = 1;
  unsigned bytes = 0;
  unsigned depth = 1;
  bare::Extent extent;
};

struct Load {
  Words words;
  librados::IoCtx pool;
  bare::Counters counters;
};

struct Slot {
  Load* load = nullptr;
  std::uint64_t random = 0;
  std::string name = std::string(16, '0');
  std::vector<char> memory;
  librados::bufferlist data;
  librados::AioCompletion* current = nullptr;
  // librados notes an operation's number in its completion after it has sent it, so a completion is
  // let go an operation later than it could be.
  librados::AioCompletion* last = nullptr;
};

void name_object(Slot& slot, std::uint64_t object) {
  static constexpr std::array<char, 17> digits = {"0123456789abcdef"};
  for (std::size_t i = slot.name.size(); i > 0; --i, object >>= 4U) {
    slot.name[i - 1] = digits[object & 15U];
  }
}

void on_answer(librados::completion_t, void* argument);

void submit(Slot& slot) {
  Load& load = *slot.load;
  bare::draw(slot.random);
  name_object(slot, slot.random % load.words.objects);
  if (slot.last != nullptr) slot.last->release();
  slot.last = slot.current;
  slot.current = librados::Rados::aio_create_completion(&slot, on_answer);
  if (load.words.writes) {
    std::memcpy(slot.memory.data(), &slot.random, sizeof slot.random);
    slot.data.invalidate_crc();
    check(load.pool.aio_write(slot.name, slot.current, slot.data, load.words.bytes, 0), "write");
  } else {
    slot.data.clear();
    check(load.pool.aio_read(slot.name, slot.current, &slot.data, load.words.bytes, 0), "read");
  }
}

void on_answer(librados::completion_t, void* argument) {
  Slot& slot = *static_cast<Slot*>(argument);
  const std::int64_t rc = slot.current->get_return_value();
  if (slot.load->counters.answered(rc, slot.load->words.extent.ops)) submit(slot);
}

// Unless they are there already, from an earlier run of the same shape.
void write_objects(Load& load) {
  Slot slot;
  std::uint64_t size = 0;
  std::time_t changed = 0;
  name_object(slot, load.words.objects - 1);
  if (load.pool.stat(slot.name, &size, &changed) == 0 && size == load.words.bytes) return;
  for (std::uint64_t object = 0; object < load.words.objects; ++object) {
    name_object(slot, object);
    librados::bufferlist data;  // a write takes what is in it
    data.append(std::string(load.words.bytes, 'x'));
    check(load.pool.write_full(slot.name, data), "prepare the objects");
  }
}

void start(Load& load, std::vector<Slot>& slots) {
  load.counters.in_flight = load.words.depth;
  load.counters.sent = load.words.depth;
  std::uint64_t seed = bare::seed_step;
  for (Slot& slot : slots) {
    slot.load = &load;
    slot.random = seed += bare::seed_step;
    if (load.words.writes) {
      slot.memory.assign(load.words.bytes, 'x');
      slot.data.append(
          ceph::bufferptr(ceph::buffer::create_static(load.words.bytes, slot.memory.data())));
    }
  }
  for (Slot& slot : slots) submit(slot);
}

Words words_of(char** arguments, int count) {
  Words words;
  words.pool = arguments[1];
  words.nspace = arguments[2];
  words.writes = std::strcmp(arguments[3], "write") == 0;
  words.objects = std::strtoull(arguments[4], nullptr, 10);
  words.bytes = static_cast<unsigned>(std::strtoul(arguments[5], nullptr, 10));
  words.depth = static_cast<unsigned>(std::strtoul(arguments[6], nullptr, 10));
  words.extent.warmup = std::strtod(arguments[7], nullptr);
  words.extent.seconds = std::strtod(arguments[8], nullptr);
  if (count > 9) words.extent.ops = std::strtoull(arguments[9], nullptr, 10);
  return words;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 9) {
    std::fprintf(stderr,
                 "usage: %s POOL NAMESPACE read|write OBJECTS BYTES DEPTH WARMUP_S SECONDS|0 "
                 "[OPS]\n",
                 arguments[0]);
    return 2;
  }
  Load load;
  load.words = words_of(arguments, count);
  librados::Rados rados;
  check(rados.init(nullptr), "init");
  check(rados.conf_read_file(nullptr), "read the config");
  check(rados.connect(), "connect");
  check(rados.ioctx_create(load.words.pool.c_str(), load.pool), "open the pool");
  load.pool.set_namespace(load.words.nspace);
  write_objects(load);
  std::vector<Slot> slots(load.words.depth);
  start(load, slots);
  bare::measure(load.counters, load.words.extent);
  load.counters.stopped = true;
  bare::await_end(load.counters);
  rados.shutdown();
  return load.counters.failed > 0 ? 1 : 0;
}
