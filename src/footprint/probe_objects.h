// Small objects of our own that chosen OSDs serve, so that one can feel by reads what an OSD does
// to its clients. They have a manifest like the objects of a run: cleanup finds them after a kill.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/result.h"
#include "radosload/units.h"

#include "cluster/bounded_io.h"
#include "footprint/site.h"

namespace radosload::footprint {

struct ProbeWish {
  std::string id = {};  // of the manifest
  std::string started = {};
  std::string pool = {};
  std::vector<std::int32_t> osds = {};
};

class ProbeObjects {
 public:
  static constexpr Bytes object_size = kib(4);
  static constexpr std::size_t objects_of_osd = 16;

  // Writes them: for each OSD in PGs that it leads. Fails when it leads none in this pool.
  static Result<std::unique_ptr<ProbeObjects>> make(AdminCommands& commands, cluster::BoundedIo io,
                                                    const ProbeWish& wish);
  ~ProbeObjects() = default;  // leaves them to a cleanup
  ProbeObjects(const ProbeObjects&) = delete;
  ProbeObjects& operator=(const ProbeObjects&) = delete;
  ProbeObjects(ProbeObjects&&) = delete;
  ProbeObjects& operator=(ProbeObjects&&) = delete;

  // Reads one of this OSD's objects, past the caches of the OSD: `turn` chooses which. 0, or a
  // negative errno. Any thread.
  int read(std::int32_t osd, std::uint64_t turn);
  // Fails when some may be left.
  Status remove();

 private:
  ProbeObjects(const cluster::BoundedIo& io, Manifest manifest)
      : m_io(io), m_site(io), m_manifest(std::move(manifest)) {}
  Status write();
  std::string name_of(std::uint64_t number) const;

  cluster::BoundedIo m_io;
  ClusterSite m_site;
  Manifest m_manifest;
  std::unique_ptr<Lease> m_hold;
  std::map<std::int32_t, std::vector<std::string>> m_names;
};

// The numbers of objects that each OSD leads, as many for each, in the order of the OSDs. Pure.
// `primary_of`: of the PG that an object of this number hashes to.
Result<std::vector<std::uint64_t>> numbers_led_by(
    const std::vector<std::int32_t>& osds, std::size_t each,
    const std::function<std::int32_t(std::uint64_t)>& primary_of);

}  // namespace radosload::footprint
