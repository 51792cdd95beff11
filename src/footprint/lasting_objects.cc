#include "footprint/lasting_objects.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/log.h"
#include "workload/layout.h"
#include "workload/payload.h"

#include <fmt/format.h>

namespace radosload::footprint {

namespace {

tl::unexpected<Error> refused(const LastingWish& wish, std::string reason, std::string hint) {
  return fail({.attempt = "use the objects of the probe in pool",
               .subject = wish.pool,
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::refused});
}

std::string removal_of(const LastingWish& wish) {
  return fmt::format("radosload cleanup --pool {} --run {}", wish.pool, wish.id);
}

Manifest manifest_of(const LastingWish& wish) {
  Manifest manifest;
  manifest.run = wish.id;
  manifest.started = wish.started;
  manifest.owner = wish.owner;
  manifest.pool = wish.pool;
  manifest.nspace = wish.nspace;
  manifest.pattern = wish.pattern;
  manifest.object_size = wish.object_size;
  manifest.stamp = workload::stamp_id(wish.id);
  manifest.keep = true;
  manifest.state = State::ready;
  return manifest;
}

}  // namespace

Result<std::unique_ptr<LastingObjects>> LastingObjects::open(RunSite& site,
                                                             const LastingWish& wish) {
  std::unique_ptr<LastingObjects> objects(new LastingObjects(site, manifest_of(wish)));
  RADOSLOAD_ASSIGN(const auto entry, site.look_up(wish.id));
  if (entry.missing) {
    RADOSLOAD_ASSIGN(objects->m_lease, site.create(objects->m_manifest));
    return objects;
  }
  if (entry.held()) {
    return refused(wish, fmt::format("{} probes this pool", entry.holder),
                   "end that probe, or use another namespace with --namespace; after a kill it "
                   "may take 30 s until others can tell");
  }
  RADOSLOAD_TRY(objects->take_over(entry, wish));
  return objects;
}

// From the lease on a cleanup leaves the objects alone; one that began before it shows in the
// manifest, and one that begins at the same time changes its version.
Status LastingObjects::take_over(const Entry& entry, const LastingWish& wish) {
  if (!entry.manifest) {
    return refused(wish, entry.problem,
                   fmt::format("remove them with '{} --scan --force'", removal_of(wish)));
  }
  RADOSLOAD_ASSIGN(m_lease, m_site.lease(wish.id));
  RADOSLOAD_ASSIGN(const auto now, m_site.look_up(wish.id));
  const bool usable = now.manifest && now.manifest->state != State::deleting;
  if (!usable) {
    return refused(
        wish, "a cleanup is removing them",
        fmt::format("complete it with '{}', then start the probe again", removal_of(wish)));
  }
  if (now.manifest->object_size != wish.object_size) {
    return refused(wish, "their size is another one",
                   fmt::format("remove them with '{}'", removal_of(wish)));
  }
  m_manifest.started = now.manifest->started;
  m_manifest.picked = now.manifest->picked;
  m_manifest.objects = now.manifest->objects;
  m_manifest.filled_objects = now.manifest->filled_objects;
  m_manifest.filled = now.manifest->filled;
  m_manifest.ended_clients = entry.clients;  // none of them holds it any more
  m_version = now.version;
  RADOSLOAD_TRY(m_site.update(m_manifest, &m_version));
  base::log_info("took over {} objects of the probe in pool {}", m_manifest.objects, wish.pool);
  return {};
}

Status LastingObjects::add(const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> given = numbers;
  std::sort(given.begin(), given.end());
  Manifest next = m_manifest;
  next.picked.clear();
  std::set_union(m_manifest.picked.begin(), m_manifest.picked.end(), given.begin(), given.end(),
                 std::back_inserter(next.picked));
  if (next.picked.size() == m_manifest.picked.size()) return {};
  next.objects = next.picked.size();
  next.filled_objects = next.objects;
  next.filled = Bytes{next.objects * next.object_size.count};
  RADOSLOAD_TRY(m_site.update(next, &m_version));
  m_manifest = std::move(next);
  return {};
}

std::string LastingObjects::name_of(std::uint64_t number) const {
  std::string buffer(workload::object_name_size(m_manifest.run), '\0');
  return std::string(workload::object_name(buffer, m_manifest.run, number));
}

}  // namespace radosload::footprint
