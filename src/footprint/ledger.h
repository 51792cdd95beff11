// The list of everything runs have made in one namespace of one pool, kept in that namespace: a
// manifest object for each run, and one index object that names the runs.
//
// The index has one extended attribute for each run ("run.<id>"). Listing a namespace scans the
// whole pool, so the names have to be written down somewhere; omap is missing on erasure-coded
// pools, and a list in the object's data would have to be read, changed and written back by two
// runs at once. Attributes work on every pool, and setting or removing one is a single atomic
// operation that cannot collide with another run's.
//
// Order of writing: index, manifest, objects; of removing: objects, manifest, index. So a process
// killed anywhere in between leaves objects only where the index leads to them.
//
// A live run watches its manifest. The watch of a dead process expires (after 30 s by default); on
// the same machine its pid shows at once that it is dead.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "radosload/result.h"

#include "cluster/bounded_io.h"
#include "footprint/manifest.h"

namespace radosload::footprint {

// While it exists, cleanup leaves the run alone.
class Lease {
 public:
  Lease() = default;
  virtual ~Lease() = default;
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  Lease(Lease&&) = delete;
  Lease& operator=(Lease&&) = delete;

  // Takes it again if it was lost. Fails when a cleanup --force has removed the manifest. Cheap
  // while the lease still exists.
  virtual Status renew() = 0;
};

// A lease by a watch on the manifest. A client that is cut off for longer than the watch lasts
// loses it; a thread checks that and takes it again.
class RunLease final : public Lease {
 public:
  static Result<std::unique_ptr<RunLease>> acquire(cluster::BoundedIo io, const std::string& run);
  // Lets go.
  ~RunLease() override;
  RunLease(const RunLease&) = delete;
  RunLease& operator=(const RunLease&) = delete;
  RunLease(RunLease&&) = delete;
  RunLease& operator=(RunLease&&) = delete;

  Status renew() override;

 private:
  class Watch;
  RunLease(cluster::BoundedIo io, std::string object);
  Status watch();
  void release();
  void renew_until(const std::stop_token& end);

  cluster::BoundedIo m_io;
  std::string m_object;
  std::mutex m_mutex;  // guards the watch
  std::unique_ptr<Watch> m_watch;
  std::uint64_t m_handle = 0;
  std::condition_variable_any m_end;
  std::jthread m_keeper;  // last: it ends before anything it uses
};

struct Entry {
  std::string run;
  std::optional<Manifest> manifest = {};    // nothing: it was never written, or cannot be read
  std::string problem = {};                 // why not
  bool missing = false;                     // the index names it, and there is no such object
  std::string holder = {};                  // "pid 4711 on host a" or "client.4242 at 10.0.0.1:0"
  std::vector<std::uint64_t> clients = {};  // that watch it, also of processes that have ended
  std::uint64_t version = 0;                // of the manifest's object, as it was read

  bool held() const { return !holder.empty(); }  // a live process watches it
};

class Ledger {
 public:
  // `pool`: the name by which its runs know it, when it has another one for a moment.
  explicit Ledger(cluster::BoundedIo io, std::string pool = {})
      : m_io(std::move(io)), m_pool(std::move(pool)) {}

  // Writes down a new run and holds it. Fails when the id is taken.
  Result<std::unique_ptr<RunLease>> create(const Manifest& manifest);
  // Replaces the manifest. Fails with ENOENT when it was removed. With a version other than 0 it is
  // replaced only if it still has that version (ERANGE: another process changed it); `version` is
  // then the new one.
  Status update(const Manifest& manifest, std::uint64_t* version = nullptr);
  // The runs that the index names.
  Result<std::vector<std::string>> runs();
  // Every run of the index, by id; that is by age.
  Result<std::vector<Entry>> list();
  // One run, whether the index names it or not; `missing` when there is no manifest. One that is
  // not of this place (misplaced) cannot be read.
  Result<Entry> look_up(const std::string& run);
  // Removes manifest and index entry, and the index when it was the last. Gone already is fine.
  Status remove(const std::string& run);
  // Removes an index entry that has no manifest, unless its run is about to write one.
  Status remove_entry_without_manifest(const std::string& run);

 private:
  Status add_to_index(const std::string& run);
  Status remove_from_index(const std::string& run);
  // Fails when a cleanup marked or removed the manifest before the run had its lease: that cleanup
  // saw no lease and removes the run. A cleanup that marks it later sees the lease.
  Status check_not_removed(const std::string& run);
  Result<std::vector<std::string>> runs_as_of(std::uint64_t* version);
  Place place(const std::string& run);
  Error error(std::string attempt, const std::string& object, int rc) const;

  cluster::BoundedIo m_io;
  std::string m_pool;
};

}  // namespace radosload::footprint
