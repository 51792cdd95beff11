// What a record says of the place where it was made.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/log.h"
#include "base/processors.h"
#include "cluster/library_version.h"
#include "prepare/cluster_session.h"

#include <fmt/format.h>

namespace radosload::prepare {

namespace {

record::ClientFacts this_machine() {
  utsname name{};
  ::uname(&name);
  record::ClientFacts client;
  client.host = name.nodename;
  client.kernel = name.release;
  client.cpus = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  client.usable_cpus = usable_processors();
  client.scheduling = scheduling_policy();
  client.pid = ::getpid();
  client.librados = cluster::librados_version();
  client.log = base::log_file();
  return client;
}

std::optional<record::PoolFacts> pool_facts(const placement::Pool* pool) {
  if (pool == nullptr) return std::nullopt;
  return record::PoolFacts{.id = pool->id,
                           .name = pool->name,
                           .erasure = pool->erasure,
                           .size = pool->size,
                           .min_size = pool->min_size,
                           .k = pool->k,
                           .m = pool->m,
                           .overwrites = pool->overwrites,
                           .pg_num = pool->pg_num,
                           .crush_rule = pool->crush_rule};
}

record::ImageFacts image_facts(const cluster::ImageInfo& image) {
  return {.name = image.spec.text(),
          .id = image.id,
          .size = image.size,
          .object_size = image.object_size,
          .stripe_unit = image.stripe_unit,
          .stripe_count = image.stripe_count,
          .features = image.features,
          .parent = image.parent,
          .made_by = image.made_by,
          .luks = image.luks,
          .settings = image.settings,
          .overridden = image.overridden};
}

// The OSDs that serve objects of the run: how many of its PGs each leads; of pinned ones, on which
// acting sets those lie.
std::vector<record::OsdFacts> osd_facts(const ClusterSession& session,
                                        const ObjectPlacement& locations) {
  struct Led {
    std::uint64_t pgs = 0;
    std::set<std::string> sets;
  };
  std::map<std::int32_t, Led> osds;
  const std::set<std::uint32_t> used(locations.pgs().begin(), locations.pgs().end());
  for (const std::uint32_t seed : used) {
    const auto pg = session.space.pgs.find(seed);
    if (!pg) continue;
    Led& led = osds[pg->primary];
    ++led.pgs;
    if (!session.pinned.empty()) led.sets.insert(placement::acting_text(*pg));
  }
  std::vector<record::OsdFacts> facts;
  for (const auto& [osd, led] : osds) {
    facts.push_back({.id = osd, .pgs = led.pgs, .acting = {led.sets.begin(), led.sets.end()}});
  }
  return facts;
}

}  // namespace

record::Environment environment_on(const RunPlan& plan, const ClusterSession& session,
                                   const std::vector<cluster::ImageInfo>& images,
                                   const ObjectPlacement* locations) {
  record::Environment environment;
  environment.fsid = session.status.fsid;
  environment.ceph_versions = session.status.versions;
  environment.health = session.status.health;
  environment.osdmap_epoch = session.status.osdmap_epoch;
  const placement::Pool* const pool = session.status.osdmap.pool(plan.pool);
  environment.pool = pool_facts(pool);
  const placement::Pool* const data = session.status.osdmap.pool(session.space.pool.name);
  if (data != pool) environment.data_pool = pool_facts(data);
  environment.client = this_machine();
  environment.client.settings = session.client_settings;
  environment.client.instances = session.instances;
  if (locations != nullptr) environment.osds = osd_facts(session, *locations);
  for (const cluster::ImageInfo& image : images) environment.images.push_back(image_facts(image));
  return environment;
}

record::Environment environment_without_cluster(const RunPlan& plan) {
  record::Environment environment;
  environment.client = this_machine();
  environment.sim = plan.sim;
  return environment;
}

}  // namespace radosload::prepare
