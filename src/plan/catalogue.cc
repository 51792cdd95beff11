// The named patterns: what each does, its defaults and the reasons for them.
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "plan/patterns.h"

namespace radosload::plan {

namespace {

Pattern data(std::string_view name, Access access, double read_percent, Bytes block,
             std::uint32_t queue_depth) {
  Pattern pattern;
  pattern.name = name;
  pattern.access = access;
  pattern.read_percent = read_percent;
  pattern.block_size = block;
  pattern.queue_depth = queue_depth;
  return pattern;
}

Pattern random_data(std::string_view name, double read_percent, std::uint32_t queue_depth) {
  return data(name, Access::random, read_percent, kib(4), queue_depth);
}

Pattern stream_data(std::string_view name, double read_percent, Bytes block) {
  return data(name, Access::sequential, read_percent, block, 16);
}

Pattern etcd_wal() {
  Pattern pattern = data("etcd-wal", Access::sequential, 0, Bytes{2300}, 1);
  // 22 MiB is not a multiple of 4 MiB: eleven objects of 2 MiB hold it exactly.
  pattern.object_size = mib(2);
  pattern.working_set = mib(22);
  pattern.flush_each_write = true;
  return pattern;
}

NamedPattern sync_write() {
  Pattern pattern = data("sync-write4k", Access::sequential, 0, kib(4), 1);
  pattern.sync_each_write = true;
  return {std::move(pattern),
          "sequential 4 KiB writes to a drive, each durable when it is answered",
          "For --drive: what a drive is worth as a WAL. A drive with power-loss protection answers "
          "from its own RAM, in less than 0.1 ms; others write to their medium first. Sweep the "
          "depth: --qd 1:2:4:8:16. On pools and images each acknowledged write is durable: use "
          "randwrite4k-qd1 there."};
}

Pattern rados_bench(std::string_view name, Access access, double read_percent) {
  Pattern pattern = data(name, access, read_percent, mib(4), 16);
  pattern.whole_objects = true;
  return pattern;
}

// 128 values of 128 bytes an object, about what an RBD or RGW index object gets before it splits
// into more; 4096 objects spread over every PG of a small pool.
Pattern omap(std::string_view name, OpKind kind) {
  Pattern pattern;
  pattern.name = name;
  pattern.metadata = kind;
  pattern.block_size = Bytes{128};
  pattern.object_size = kib(16);
  pattern.working_set = mib(64);
  return pattern;
}

Pattern counted(std::string_view name, OpKind kind, Access access, std::uint64_t objects) {
  Pattern pattern;
  pattern.name = name;
  pattern.metadata = kind;
  pattern.access = access;
  pattern.block_size = Bytes{0};
  pattern.object_size = Bytes{0};
  pattern.working_set = Bytes{0};
  pattern.objects = objects;
  return pattern;
}

// Of files: 10,000 in each directory, as in the listings that people time by hand.
Pattern of_files(std::string_view name, OpKind kind, std::uint64_t files) {
  Pattern pattern = counted(name, kind, Access::sequential, files);
  pattern.entries = 10'000;
  if (kind == OpKind::stat || kind == OpKind::list) pattern.cache = CacheMode::bypass;
  if (kind == OpKind::list) pattern.queue_depth = 1;
  return pattern;
}

std::vector<NamedPattern> file_patterns() {
  constexpr std::uint64_t ki = 1024;
  constexpr std::uint64_t listed = 100'000;
  return {
      {of_files("fs-create", OpKind::create, ki * ki), "empty files created in a file system",
       "For --fs: opens each new file and closes it, as touch does. The MDS answers before the "
       "file is in its journal, as it does for any client. The run ends early when N files "
       "(objects=N) exist."},
      {of_files("fs-stat", OpKind::stat, 64 * ki), "size and times of a file, asked of the MDS",
       "For --fs. Each file is read once, by a client that has not seen it (cache=bypass), and the "
       "run ends early when all were read. With cache=warm files are read again and again: what "
       "the client still knows it answers itself."},
      {of_files("fs-list", OpKind::list, listed),
       "a directory of 10,000 files listed with their attributes, as ls -l",
       "For --fs. Each directory is listed once, by a client that has not seen it (cache=bypass: a "
       "cold listing), and the run ends early when all were listed. With cache=warm they are "
       "listed again and again: a directory that the client's cache holds (client_cache_size, "
       "16,384 entries) needs no MDS. A listing in which files are missing fails."},
      {of_files("fs-delete", OpKind::remove, 128 * ki), "files deleted from a file system",
       "For --fs: deletes each file once. The run ends early when none is left."},
  };
}

// An onode of a small object takes about 1.2 KiB of an OSD's RAM, and an OSD of the default 4 GiB
// osd_memory_target keeps something over 1 GiB of them: a million. Two million are more than fit.
Pattern onode_read() {
  Pattern pattern = random_data("onode-read", 100, 16);
  pattern.object_size = kib(4);
  pattern.working_set = gib(8);
  return pattern;
}

std::vector<NamedPattern> make_catalogue() {
  constexpr std::uint64_t ki = 1024;
  constexpr auto rand = Access::random;
  constexpr auto seq = Access::sequential;
  return {
      {random_data("randrw4k", 75, 64), "75 % reads, 25 % writes, random 4 KiB",
       "Similar to the load of a virtual machine or a database; for a first measurement."},
      {random_data("randread4k", 100, 64), "random 4 KiB reads",
       "If the working set fits into the RAM of the OSDs, this measures RAM: compare it with "
       "--cache bypass."},
      {random_data("randwrite4k", 0, 64), "random 4 KiB writes",
       "Overwrites parts of existing objects. OSDs on HDDs first write such blocks, up to 64 KiB, "
       "to the WAL, whether only the WAL or also the DB is on another drive."},
      {random_data("randread4k-qd1", 100, 1), "random 4 KiB reads one at a time: read latency",
       "One operation in flight, so no operation waits for another."},
      {random_data("randwrite4k-qd1", 0, 1), "random 4 KiB writes one at a time: commit latency",
       "One operation in flight. On a replicated pool, the slowest replica sets the latency."},
      {stream_data("write4k", 0, kib(4)), "sequential 4 KiB writes",
       "Block after block of each object, then the next object; at the end from the start."},
      {stream_data("read4k", 100, kib(4)), "sequential 4 KiB reads",
       "Like write4k. Objects have no read-ahead: each operation goes to the OSD."},
      {stream_data("rw4k", 50, kib(4)), "sequential 4 KiB, half reads, half writes",
       "Like write4k; each operation is randomly a read or a write."},
      {stream_data("write1m", 0, mib(1)), "sequential 1 MiB writes",
       "For bandwidth: four writes per object."},
      {stream_data("read1m", 100, mib(1)), "sequential 1 MiB reads",
       "For bandwidth: four reads per object."},
      {stream_data("rw1m", 50, mib(1)), "sequential 1 MiB, half reads, half writes",
       "Like write1m; each operation is randomly a read or a write."},
      {etcd_wal(), "etcd's log: 2300-byte sequential writes, one at a time, each durable",
       "The fio test that etcd recommends: good if the 99th percentile is below 10 ms. On images, "
       "each write is followed by a flush. Objects have no flush: a write is durable when it is "
       "answered, so its latency is the commit latency."},
      sync_write(),
      {rados_bench("radosbench-write", seq, 0), "whole 4 MiB objects written, as rados bench write",
       "Writes new objects until --size is reached, then the same ones again. rados bench never "
       "writes an object twice: to compare the two, give a --size that the run does not reach."},
      {rados_bench("radosbench-seq", seq, 100),
       "whole 4 MiB objects read in order, as rados bench seq",
       "rados bench stops after the last object; this starts again with the first."},
      {rados_bench("radosbench-rand", rand, 100),
       "whole 4 MiB objects read at random, as rados bench rand",
       "Like radosbench-seq, in random order."},
      {omap("omap-set", OpKind::omap_set), "one omap key set, in a random object",
       "Uses RocksDB only, not the data device. bs is the size of a value, object-size that of all "
       "values of an object. For replicated pools only."},
      {omap("omap-get", OpKind::omap_get), "one omap key read, of a random object",
       "Like omap-set, on keys that all exist."},
      {counted("stat", OpKind::stat, rand, 64 * ki), "size and time of a random object",
       "Reads the onode only. With more objects than the onode cache holds, it reads RocksDB. "
       "object-size gives the objects content."},
      {counted("create", OpKind::create, seq, ki * ki), "empty objects created",
       "Creates each object once. The run ends early when N objects (objects=N) exist."},
      {counted("delete", OpKind::remove, seq, 128 * ki), "objects deleted",
       "Deletes each object once; they are created before the run (empty, or with object-size "
       "bytes). The run ends early when none is left."},
      {counted("list", OpKind::list, seq, 64 * ki),
       "the namespace listed, about 512 names per operation",
       "Each operation lists one slice of the namespace (by hash). Its cost depends on all objects "
       "of the pool in that slice, including those of other clients."},
      {onode_read(), "4 KiB reads over two million small objects: onodes come from RocksDB",
       "Shows the difference between WAL and DB on a fast drive, if the onodes do not fit into "
       "the RAM of the OSD. The default is enough for one OSD (--osd) with a memory target of "
       "4 GiB; for a pool of N OSDs, give N times the --size, or --cache drop to start with empty "
       "caches. Check the onode misses of the OSDs."},
      {random_data("rand", 50, 16), "anything random: rand,read=30,bs=16k,dist=zipf:1.1",
       "For patterns of your own: set any key."},
      {stream_data("seq", 50, kib(4)), "anything sequential: seq,read=0,bs=64k,object-size=8M",
       "For patterns of your own: set any key."},
  };
}

}  // namespace

std::span<const NamedPattern> catalogue() {
  static const std::vector<NamedPattern> patterns = [] {
    std::vector<NamedPattern> all = make_catalogue();
    // Before the two to start from.
    auto of_files = file_patterns();
    all.insert(all.end() - 2, std::make_move_iterator(of_files.begin()),
               std::make_move_iterator(of_files.end()));
    return all;
  }();
  return patterns;
}

const NamedPattern* find_pattern(std::string_view name) {
  const auto all = catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [&](const NamedPattern& named) {
    return named.defaults.name == name;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace radosload::plan
