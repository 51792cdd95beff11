// Small objects that a service uses again and again, also after it was ended, killed or started
// again. Their manifest has always the same name, is kept, and names each object before it is made.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "footprint/manifest.h"
#include "footprint/site.h"

namespace radosload::footprint {

struct LastingWish {
  std::string id = {};  // of the manifest
  std::string started = {};
  std::string pool = {};
  std::string nspace = {};
  std::string pattern = {};  // for people
  Bytes object_size = {};
  Owner owner = {};
};

class LastingObjects {
 public:
  // Makes the manifest, or takes over that of a process that has ended. Refuses while another
  // process uses it. The site must live longer.
  static Result<std::unique_ptr<LastingObjects>> open(RunSite& site, const LastingWish& wish);

  // The numbers of objects that exist or may exist, ascending.
  const std::vector<std::uint64_t>& numbers() const { return m_manifest.picked; }
  // Names more of them in the manifest. Only then may they be made.
  Status add(const std::vector<std::uint64_t>& numbers);
  // Takes the lease again if it was lost. Fails with ENOENT when a cleanup --force has removed the
  // manifest.
  Status renew() { return m_lease->renew(); }
  // "radosload.probe.000000000000000a", as objects of runs are named.
  std::string name_of(std::uint64_t number) const;

 private:
  LastingObjects(RunSite& site, Manifest manifest)
      : m_site(site), m_manifest(std::move(manifest)) {}
  Status take_over(const Entry& entry, const LastingWish& wish);

  RunSite& m_site;
  Manifest m_manifest;
  std::uint64_t m_version = 0;  // of the manifest; 0: not known
  std::unique_ptr<Lease> m_lease;
};

}  // namespace radosload::footprint
