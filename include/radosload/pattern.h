// What a workload consists of, as plain data: a named pattern after its keys and the command
// line's options have been applied. workload/ turns it into a stream of operations.
#pragma once

#include <cstdint>
#include <string>

#include "radosload/op.h"
#include "radosload/units.h"

namespace radosload {

enum class Access : std::uint8_t {
  random,      // any block of the working set
  sequential,  // block after block, around again at the end
};

enum class CacheMode : std::uint8_t {
  warm,    // as the cluster would treat any client
  bypass,  // FADVISE_DONTNEED on every operation: the OSD keeps nothing of ours in RAM
  drop,    // the OSDs' caches emptied once before the measured phase (needs observer rights)
};

// How offsets are drawn under Access::random.
struct Distribution {
  enum class Law : std::uint8_t { uniform, zipf };
  Law law = Law::uniform;
  double theta = 0.99;  // zipf's exponent, 0 < theta < 1 is mild, above 1 is steep
};

// How operations arrive. Closed: at a queue depth. Open: at a rate, however slow the answers are.
struct Arrival {
  enum class Law : std::uint8_t { closed, constant, poisson };
  Law law = Law::closed;
  double ops_per_second = 0;  // of the whole run; 0 when closed
};

struct Pattern {
  std::string name;            // as listed by `radosload patterns`
  OpKind kind = OpKind::read;  // what is done when it is not a read/write mix
  bool mixed = false;          // reads and writes by read_percent; kind says nothing then
  double read_percent = 0;
  Access access = Access::random;
  Distribution distribution;
  Bytes block_size = kib(4);       // bytes of one operation
  std::uint32_t queue_depth = 16;  // of the whole run (per OSD when pinned)
  Bytes object_size = mib(4);
  Bytes working_set = gib(1);     // of the whole run (per OSD when pinned)
  bool flush_each_write = false;  // etcd-wal: a flush follows each write
  CacheMode cache = CacheMode::warm;
  bool verify = true;  // reads check the stamps of what they got
};

}  // namespace radosload
