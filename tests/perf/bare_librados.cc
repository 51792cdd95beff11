// The least that puts this load on a pool: slots whose callbacks send the next operation. No times
// are taken, nothing is counted but completions, nothing is checked. What radosload costs is held
// against it (tools/bench/client_cost.py): same library, same allocator, same objects.
//
//   bare_librados POOL NAMESPACE read|write OBJECTS BYTES DEPTH WARMUP_S SECONDS|0 [OPS]
//
// With 0 seconds it ends after OPS operations instead. Prints one JSON object.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

#include <rados/librados.hpp>

namespace {

using Clock = std::chrono::steady_clock;

struct Words {
  std::string pool;
  std::string nspace;
  bool writes = false;
  std::uint64_t objects = 1;
  unsigned bytes = 0;
  unsigned depth = 1;
  double warmup = 0;
  double seconds = 0;
  std::uint64_t ops = 0;
};

struct Load {
  Words words;
  librados::IoCtx pool;
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> completed{0};
  std::atomic<std::uint64_t> failed{0};
  std::atomic<unsigned> in_flight{0};
  std::atomic<bool> stopped{false};
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

void check(int rc, const char* what) {
  if (rc >= 0) return;
  std::fprintf(stderr, "%s: %s\n", what, std::strerror(-rc));
  std::exit(1);
}

void name_object(Slot& slot, std::uint64_t object) {
  static constexpr std::array<char, 17> digits = {"0123456789abcdef"};
  for (std::size_t i = slot.name.size(); i > 0; --i, object >>= 4U) {
    slot.name[i - 1] = digits[object & 15U];
  }
}

void on_answer(librados::completion_t, void* argument);

void submit(Slot& slot) {
  Load& load = *slot.load;
  // xorshift64
  slot.random ^= slot.random << 13U;
  slot.random ^= slot.random >> 7U;
  slot.random ^= slot.random << 17U;
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
  Load& load = *slot.load;
  if (slot.current->get_return_value() < 0) load.failed.fetch_add(1, std::memory_order_relaxed);
  load.completed.fetch_add(1, std::memory_order_relaxed);
  const bool more =
      !load.stopped.load(std::memory_order_relaxed) &&
      (load.words.ops == 0 || load.sent.fetch_add(1, std::memory_order_relaxed) < load.words.ops);
  if (more) return submit(slot);
  load.in_flight.fetch_sub(1);
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
  load.in_flight = load.words.depth;
  load.sent = load.words.depth;
  std::uint64_t seed = 0x9e3779b97f4a7c15U;
  for (Slot& slot : slots) {
    slot.load = &load;
    slot.random = seed += 0x9e3779b97f4a7c15U;
    if (load.words.writes) {
      slot.memory.assign(load.words.bytes, 'x');
      slot.data.append(
          ceph::bufferptr(ceph::buffer::create_static(load.words.bytes, slot.memory.data())));
    }
  }
  for (Slot& slot : slots) submit(slot);
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void sleep_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

void await_end(const Load& load) {
  while (load.in_flight.load() > 0) sleep_for(0.001);
}

void measure(Load& load) {
  sleep_for(load.words.warmup);
  const double cpu = cpu_seconds();
  const std::uint64_t completed = load.completed;
  const auto begin = Clock::now();
  if (load.words.ops > 0) {
    await_end(load);
  } else {
    sleep_for(load.words.seconds);
  }
  const double used = cpu_seconds() - cpu;
  const auto ops = static_cast<double>(load.completed - completed);
  const double took = std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf("{\"ops\": %.0f, \"iops\": %.1f, \"cpu_us_per_op\": %.3f, \"failed\": %llu}\n", ops,
              ops / took, 1e6 * used / ops, static_cast<unsigned long long>(load.failed));
}

Words words_of(char** arguments, int count) {
  Words words;
  words.pool = arguments[1];
  words.nspace = arguments[2];
  words.writes = std::strcmp(arguments[3], "write") == 0;
  words.objects = std::strtoull(arguments[4], nullptr, 10);
  words.bytes = static_cast<unsigned>(std::strtoul(arguments[5], nullptr, 10));
  words.depth = static_cast<unsigned>(std::strtoul(arguments[6], nullptr, 10));
  words.warmup = std::strtod(arguments[7], nullptr);
  words.seconds = std::strtod(arguments[8], nullptr);
  if (count > 9) words.ops = std::strtoull(arguments[9], nullptr, 10);
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
  measure(load);
  load.stopped = true;
  await_end(load);
  rados.shutdown();
  return load.failed > 0 ? 1 : 0;
}
