// One namespace of one pool as runs and cleanups see it: every operation that they carry out there.
// On a cluster it is ClusterSite; tests use one in memory, where other clients act between any two
// calls.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "footprint/file_cleanup.h"
#include "footprint/image_cleanup.h"
#include "footprint/ledger.h"
#include "footprint/removal.h"

namespace radosload::footprint {

// What cleanup does there.
class Site {
 public:
  Site() = default;
  virtual ~Site() = default;
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  Site(Site&&) = delete;
  Site& operator=(Site&&) = delete;

  // As Ledger has them.
  virtual Result<std::vector<std::string>> runs() = 0;
  virtual Result<Entry> look_up(const std::string& run) = 0;
  virtual Status update(const Manifest& manifest, std::uint64_t* version) = 0;
  virtual Status remove(const std::string& run) = 0;
  virtual Status remove_entry_without_manifest(const std::string& run) = 0;

  virtual Removal remove_objects(const Names& names, const RemovalOptions& options) = 0;
  virtual ImagesRemoved remove_images(const Manifest& manifest, Time stall_limit,
                                      const std::function<bool(double)>& progress) = 0;
  // The directory of the run in the file system that the manifest names.
  virtual FilesRemoved remove_files(const Manifest& manifest, const RemovalOptions& options) = 0;
  // All names there are, page by page; false ends it early.
  using Page = std::function<bool(const std::vector<std::string>& names)>;
  virtual Status list_names(const Page& page) = 0;
};

// What a run does there as well: it notes itself, and holds what it works on.
class RunSite : public Site {
 public:
  // As Ledger has it.
  virtual Result<std::unique_ptr<Lease>> create(const Manifest& manifest) = 0;
  virtual Result<std::unique_ptr<Lease>> lease(const std::string& run) = 0;
  // The client's instance id in the cluster, as those who list watchers see it.
  virtual std::uint64_t client() = 0;
};

class ClusterSite final : public RunSite {
 public:
  // Through a handle of its own for the pool: what it is told (to try in a full pool) stays with
  // it. `pool`: the name by which its runs know the pool, when it has another one for a moment.
  explicit ClusterSite(const cluster::BoundedIo& io, std::string pool = {});

  Result<std::vector<std::string>> runs() override { return m_ledger.runs(); }
  Result<Entry> look_up(const std::string& run) override { return m_ledger.look_up(run); }
  Status update(const Manifest& manifest, std::uint64_t* version) override {
    return m_ledger.update(manifest, version);
  }
  Status remove(const std::string& run) override { return m_ledger.remove(run); }
  Status remove_entry_without_manifest(const std::string& run) override {
    return m_ledger.remove_entry_without_manifest(run);
  }
  Removal remove_objects(const Names& names, const RemovalOptions& options) override;
  ImagesRemoved remove_images(const Manifest& manifest, Time stall_limit,
                              const std::function<bool(double)>& progress) override;
  FilesRemoved remove_files(const Manifest& manifest, const RemovalOptions& options) override;
  Status list_names(const Page& page) override;
  Result<std::unique_ptr<Lease>> create(const Manifest& manifest) override;
  Result<std::unique_ptr<Lease>> lease(const std::string& run) override;
  std::uint64_t client() override { return m_io.connection().instance_id(); }

 private:
  cluster::BoundedIo m_io;
  Ledger m_ledger;
};

}  // namespace radosload::footprint
