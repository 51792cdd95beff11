// Where a run took place: the cluster, pools, images, the OSDs that served it, and the client
// machine. Unknown facts are empty.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::record {

struct PoolFacts {
  std::int64_t id = 0;
  std::string name;
  bool erasure = false;
  std::uint32_t size = 0;  // replicas, or k+m
  std::uint32_t min_size = 0;
  std::uint32_t k = 0;  // erasure only, as the next two
  std::uint32_t m = 0;
  bool overwrites = true;  // partial writes are possible
  std::uint32_t pg_num = 0;
  std::int64_t crush_rule = 0;
  bool operator==(const PoolFacts&) const = default;
};

struct ImageFacts {
  std::string name;
  std::string id;
  Bytes size;
  Bytes object_size;
  Bytes stripe_unit;
  std::uint64_t stripe_count = 1;
  std::vector<std::string> features;
  std::string parent;
  std::string made_by;  // the run that made it
  int luks = 0;         // the version of its encryption header; 0: none
  std::map<std::string, std::string> settings;
  std::vector<std::string> overridden;  // those of them that the image or its pool overrides
  bool operator==(const ImageFacts&) const = default;
};

// The drive or file of a run without a cluster.
struct DriveFacts {
  std::string path;
  bool device = false;
  Bytes size;
  Bytes logical_block;
  Bytes physical_block;
  std::string medium;  // "rotating", "solid state"
  std::string model;
  std::string serial;
  std::string write_cache;           // "write back", "write through"
  std::string io;                    // how operations got to it: "io_uring", "threads"
  std::string no_ring;               // why not by io_uring; empty: by it
  std::vector<std::string> uses;     // by other programs, at the start
  std::vector<std::string> content;  // at the start: file systems and the like
  bool operator==(const DriveFacts&) const = default;
};

// The file system (CephFS) of a run on files.
struct FileSystemFacts {
  std::string name;
  std::int64_t id = -1;
  std::string metadata_pool;
  std::string directory;  // of the run
  std::uint64_t files = 0;
  std::uint64_t directories = 0;                // in which they lie
  std::vector<std::string> mds;                 // the active ones, by rank, at the start
  std::uint64_t ranks = 0;                      // how many should be active
  std::map<std::string, std::string> settings;  // of libcephfs, in force
  bool operator==(const FileSystemFacts&) const = default;
};

struct OsdFacts {
  std::int32_t id = 0;
  std::uint64_t pgs = 0;            // of the run, that it leads
  std::vector<std::string> acting;  // pinned: the sets of those PGs
  bool operator==(const OsdFacts&) const = default;
};

struct ClientFacts {
  std::string host;
  std::string kernel;
  std::uint64_t cpus = 0;
  std::uint64_t usable_cpus = 0;
  std::string scheduling;
  std::int64_t pid = 0;
  std::string librados;                         // its version
  std::map<std::string, std::string> settings;  // of librados and librbd, in force
  std::vector<std::uint64_t> instances;         // the ids of the cluster handles
  std::string log;                              // the file of --log-file; empty: none
  bool operator==(const ClientFacts&) const = default;
};

struct Environment {
  std::string fsid;                                    // empty: no cluster
  std::map<std::string, std::uint32_t> ceph_versions;  // "16.2.15 pacific" -> daemons
  std::string health;                                  // at the start
  std::uint64_t osdmap_epoch = 0;                      // likewise
  std::optional<PoolFacts> pool;
  std::optional<PoolFacts> data_pool;  // of images whose data lies elsewhere
  ClientFacts client;
  std::vector<OsdFacts> osds;
  std::vector<ImageFacts> images;
  std::optional<DriveFacts> drive;
  std::optional<FileSystemFacts> file_system;
  std::string sim;  // what a simulated cluster is like
  bool operator==(const Environment&) const = default;
};

// As one line of JSON, and the reverse. The Error's reason says what is wrong with a text.
std::string to_json(const Environment& environment);
Result<Environment> environment_from_json(std::string_view text);

}  // namespace radosload::record
