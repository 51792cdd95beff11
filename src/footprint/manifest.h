// What a run leaves in a cluster, as it is written there before the first object: enough to find
// and remove every object, or to use them again, after the process was killed at any moment. Pure:
// the document and its names; ledger.h keeps it in the cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::footprint {

inline constexpr std::string_view manifest_schema = "radosload.footprint/1";
inline constexpr std::string_view manifest_prefix = "radosload.manifest.";
inline constexpr std::string_view index_object = "radosload.index";
// The namespace of our objects unless the user names another.
inline constexpr std::string_view default_namespace = "radosload";

enum class Content : std::uint8_t {
  empty,  // objects without content
  data,
  omap,   // values of value_size bytes each
  image,  // RBD images: the objects are theirs
  files,  // a directory of a file system: the objects are its files
};

enum class State : std::uint8_t {
  filling,   // prefill is at work, or was when the run died; the load may be writing too
  ready,     // everything promised is there
  deleting,  // a cleanup has begun to remove it: unusable
};

// Which process a manifest belongs to. On this machine a dead process is recognised at once; on
// another machine it counts as dead when its watch has expired.
struct Owner {
  std::string host = {};
  std::string boot = {};       // /proc/sys/kernel/random/boot_id
  std::string pid_space = {};  // pids mean nothing in another container
  std::int64_t pid = 0;
  std::uint64_t started_ticks = 0;  // since boot: tells a process from a later one of the same pid
  std::uint64_t client = 0;         // its instance id in the cluster, as watchers show it

  bool operator==(const Owner&) const = default;
};

struct Manifest {
  std::string run;      // the objects are named after it (workload::object_name)
  std::string started;  // 2026-11-21T04:00:12Z
  Owner owner;
  std::string pool;
  std::string nspace;
  std::string pattern;  // as text, for people
  // Their numbers are below this, unless they were picked: then it is how many there are.
  std::uint64_t objects = 0;
  Bytes object_size;
  Content content = Content::data;
  Bytes value_size;         // omap only
  std::uint64_t stamp = 0;  // of the payload
  bool keep = false;        // meant to be used again
  State state = State::filling;
  // The numbers of objects that were picked since chosen OSDs serve them, as many for each OSD, in
  // the order of the OSDs. Of images: those that were filled. Without OSDs: the objects of a probe,
  // which follows the OSDs that lead PGs.
  std::vector<std::int32_t> osds = {};
  std::vector<std::uint64_t> picked = {};
  // Clients of earlier owners that had ended when this one took over: the watch of a process that
  // was killed stays for 30 s.
  std::vector<std::uint64_t> ended_clients = {};
  std::vector<std::string> images = {};  // by name; made by the run
  std::string image_nspace = {};         // the RBD namespace they are in
  std::string file_system = {};          // of files: its name
  std::uint64_t clients = 0;             // of files: how many mounts the run may have made
  std::uint64_t filled_objects = 0;      // how far prefill had come when this was written
  Bytes filled;

  bool operator==(const Manifest&) const = default;
};

// Every manifest is padded to a whole number of these: rewriting one then adds no bytes to the
// pool, which a full pool allows.
inline constexpr std::size_t manifest_bytes = 4096;
// No manifest is larger; reading stops here. A million of picked objects fit.
inline constexpr std::size_t manifest_limit = 4096 * manifest_bytes;
// No run makes more of them: a manifest that names more was not written by radosload.
inline constexpr std::uint64_t objects_limit = 1ULL << 40U;
inline constexpr std::size_t images_limit = 4096;
inline constexpr std::uint64_t clients_limit = 40'000;

std::string encode(const Manifest& manifest);
Result<Manifest> decode(std::string_view text);

// Where a manifest was found: its object is named after the run, and lies in a namespace of a pool.
struct Place {
  std::string run = {};
  std::string pool = {};
  std::string nspace = {};
};
// Why the run named in the manifest cannot have written it there; empty when it can. Without this
// check, a user with access to one pool could make an administrator's cleanup delete in another.
std::string misplaced(const Manifest& manifest, const Place& place);
// decode(), and only what is not misplaced.
Result<Manifest> decode_at(std::string_view text, const Place& place);
// Why no run of radosload has so much; empty when one may have.
std::string beyond_limits(const Manifest& manifest);

// Letters, digits, '-' and '_', 64 at most: nothing that could make one name look like another.
bool is_run_id(std::string_view text);
std::string manifest_object(std::string_view run);

std::string_view content_name(Content content);
std::string_view state_name(State state);

}  // namespace radosload::footprint
