// A workload as plain data: a named pattern after its keys and the command line's options have been
// applied. workload/ turns it into a stream of operations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "radosload/op.h"
#include "radosload/units.h"

namespace radosload {

enum class Access : std::uint8_t {
  random,      // any block of the working set
  sequential,  // block after block; starts again at the end
};

enum class CacheMode : std::uint8_t {
  warm,    // as the cluster would treat any client
  bypass,  // FADVISE_DONTNEED on every operation: the OSD caches nothing of the run in RAM
  drop,    // the OSDs' caches emptied once before the measured phase (needs observer rights)
};

// What is checked of the data that reads return.
enum class Verify : std::uint8_t {
  off,
  stamp,       // that each block has a whole stamp of radosload and is in its place
  generation,  // and that no acknowledged write is missing
  full,        // and every byte
};

// How blocks are drawn under Access::random.
struct Distribution {
  enum class Law : std::uint8_t { uniform, zipf };
  Law law = Law::uniform;
  double theta = 0;  // zipf's exponent: the k-th hottest block has weight k^-theta; 0 when uniform

  bool operator==(const Distribution&) const = default;
};

// How operations arrive. Closed: at a queue depth. Open: at a rate, independent of the answers.
struct Arrival {
  enum class Law : std::uint8_t { closed, constant, poisson };
  Law law = Law::closed;
  double ops_per_second = 0;  // of the whole run; 0 when closed

  bool operator==(const Arrival&) const = default;
};

struct Pattern {
  std::string name;                // as listed by `radosload patterns`
  std::optional<OpKind> metadata;  // the one metadata operation; empty: reads and writes of data
  double read_percent = 100;       // data only; each operation is drawn independently
  Access access = Access::random;
  Distribution distribution;
  Bytes block_size = kib(4);       // bytes of one operation; for omap, of one key's value
  std::uint32_t queue_depth = 16;  // of the whole run (per OSD when pinned)
  Bytes object_size = mib(4);      // for omap, of all values of one object
  Bytes working_set = gib(1);      // of the whole run (per OSD when pinned); data and omap
  std::uint64_t objects = 0;       // the same where objects are counted: stat, create, delete, list
  std::uint64_t entries = 0;      // fs-...: files in each directory; 0: the pattern is not of files
  bool whole_objects = false;     // one operation is one object: bs and object-size are the same
  bool flush_each_write = false;  // etcd-wal: a flush follows each write, on targets that have one
  bool sync_each_write = false;   // sync-write4k: a write is answered once it is durable (drives)
  CacheMode cache = CacheMode::warm;
  Verify verify = Verify::generation;

  bool is_data() const { return !metadata.has_value(); }
  bool is_omap() const { return metadata == OpKind::omap_set || metadata == OpKind::omap_get; }
  // Operations on files that only a file system has.
  bool is_of_files() const { return entries > 0; }
  std::uint64_t directories() const {
    return is_of_files() ? objects / entries + (objects % entries == 0 ? 0 : 1) : 0;
  }
  // Each file or directory is read once, by a client that has not seen it.
  bool reads_cold() const {
    const bool reads = metadata == OpKind::stat || metadata == OpKind::list;
    return is_of_files() && reads && cache == CacheMode::bypass;
  }
  bool reads_data() const { return is_data() && read_percent > 0; }
  bool writes_data() const { return is_data() && read_percent < 100; }

  bool operator==(const Pattern&) const = default;
};

}  // namespace radosload
