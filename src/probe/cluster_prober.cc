#include "probe/cluster_prober.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <numeric>
#include <set>
#include <utility>

#include "radosload/outcome.h"

#include "base/log.h"
#include "cluster/connection.h"
#include "footprint/owner.h"
#include "observe/fetch_osd_map.h"
#include "observe/osds.h"
#include "observe/rights.h"
#include "observe/space.h"
#include "placement/led_objects.h"
#include "placement/object_hash.h"

#include <fmt/format.h>
#include <rados/librados.hpp>

namespace radosload::probe {

namespace {

// What an object holds: its name again and again, so that a read of another one shows.
std::string content_of(const std::string& name) {
  const std::string line = fmt::format("radosload probe {}\n", name);
  std::string content;
  content.reserve(object_size.count + line.size());
  while (content.size() < object_size.count) content += line;
  content.resize(object_size.count);
  return content;
}

int check(const std::string& name, const std::string& bytes) {
  if (bytes.size() < object_size.count) return rc_short_read;
  if (bytes == content_of(name)) return 0;
  const bool zeros = bytes.find_first_not_of('\0') == std::string::npos;
  return zeros ? rc_hole : rc_corrupt;
}

Time since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<Time>(std::chrono::steady_clock::now() - start);
}

PoolCost cost_of(const placement::Pool& pool) {
  if (!pool.erasure) return {.drives_per_read = 1, .drives_per_write = double(pool.size)};
  return {.drives_per_read = double(pool.k), .drives_per_write = double(pool.k + pool.m)};
}

// All that the choice of objects depends on.
std::vector<std::int32_t> placement_of(const placement::PgMap& pgs,
                                       const std::vector<Target>& targets) {
  std::vector<std::int32_t> all;
  for (std::size_t i = 0; i < pgs.size(); ++i) all.push_back(pgs.at(i).primary);
  all.push_back(-1);
  for (const Target& target : targets) all.push_back(target.osd);
  return all;
}

std::set<std::int32_t> leaders_of(const placement::PgMap& pgs) {
  std::set<std::int32_t> leaders;
  for (std::size_t i = 0; i < pgs.size(); ++i) {
    if (pgs.at(i).primary >= 0) leaders.insert(pgs.at(i).primary);
  }
  return leaders;
}

Error without_primaries(const std::string& pool) {
  return {.attempt = "probe pool",
          .subject = pool,
          .reason = "no PG of it has one of the chosen OSDs as its primary",
          .hint = "'radosload osds' shows the OSDs and their PGs; " + observe::rights_hint("probe"),
          .exit = Exit::no_cluster};
}

}  // namespace

Result<std::unique_ptr<ClusterProber>> ClusterProber::open(const ClusterWish& wish) {
  std::optional<placement::OsdSelection> selection;
  if (!wish.osds.empty()) {
    RADOSLOAD_ASSIGN(selection, placement::parse_osd_selection(wish.osds));
  }
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(wish.cluster));
  RADOSLOAD_ASSIGN(auto connection, cluster::Connection::open(wish.cluster));
  RADOSLOAD_ASSIGN(auto pool, connection->pool(wish.pool, wish.nspace));
  std::unique_ptr<ClusterProber> prober(
      new ClusterProber(wish, std::move(admin),
                        cluster::BoundedIo(std::move(connection), std::move(pool), wish.limit),
                        std::move(selection)));
  if (prober->m_selection) {
    // Later on, an OSD that is gone is left out.
    RADOSLOAD_ASSIGN(const auto inventory, observe::fetch_osds(*prober->m_admin));
    RADOSLOAD_TRY(placement::select_osds(*prober->m_selection, inventory));
  }
  footprint::LastingWish lasting{.id = probe_id,
                                 .started = wish.started,
                                 .pool = wish.pool,
                                 .nspace = wish.nspace,
                                 .pattern = "probe",
                                 .object_size = object_size,
                                 .owner = footprint::this_process()};
  lasting.owner.client = prober->m_io.connection().instance_id();
  RADOSLOAD_ASSIGN(prober->m_lasting, footprint::LastingObjects::open(prober->m_site, lasting));
  return prober;
}

Result<Survey> ClusterProber::survey() {
  RADOSLOAD_TRY(renew());
  RADOSLOAD_ASSIGN(const auto map, observe::fetch_osd_map(*m_admin));
  const placement::Pool* const pool = map.pool(m_io.pool().get_id());
  if (pool == nullptr || pool->pg_num == 0) {
    return fail({.attempt = "probe pool",
                 .subject = m_wish.pool,
                 .reason = "it is no longer in the osdmap",
                 .exit = Exit::no_cluster});
  }
  RADOSLOAD_ASSIGN(const auto pgs, observe::fetch_pgs(*m_admin, pool->id));
  return m_wish.by_pool ? survey_pool(*pool, pgs) : survey_osds(*pool, pgs);
}

Result<Survey> ClusterProber::survey_pool(const placement::Pool& pool,
                                          const placement::PgMap& pgs) {
  const std::set<std::int32_t> leaders = leaders_of(pgs);
  if (leaders.empty()) return fail(without_primaries(m_wish.pool));
  // All its OSDs share the operations of a round.
  Survey survey{.targets = {Target{}}, .cost = cost_of(pool)};
  survey.cost.drives_per_read /= static_cast<double>(leaders.size());
  survey.cost.drives_per_write /= static_cast<double>(leaders.size());
  if (!m_objects.empty()) return survey;
  std::vector<std::uint64_t> numbers(objects_of_pool);
  std::iota(numbers.begin(), numbers.end(), 0);
  RADOSLOAD_TRY(use({{whole_pool, std::move(numbers)}}));
  return survey;
}

Result<Survey> ClusterProber::survey_osds(const placement::Pool& pool,
                                          const placement::PgMap& pgs) {
  RADOSLOAD_ASSIGN(const auto all, chosen());
  const std::set<std::int32_t> leaders = leaders_of(pgs);
  Survey survey{.cost = cost_of(pool)};
  for (const Target& target : all) {
    if (leaders.contains(target.osd)) {
      survey.targets.push_back(target);
    } else {
      survey.without_pgs.push_back(target.osd);
    }
  }
  if (survey.targets.empty()) return fail(without_primaries(m_wish.pool));
  RADOSLOAD_TRY(choose(pool, pgs, survey.targets));
  // An OSD of a pool with many PGs may lead one that no candidate hashes to.
  std::erase_if(survey.targets, [&](const Target& target) {
    const bool none = m_objects[target.osd].empty();
    if (none) survey.without_pgs.push_back(target.osd);
    return none;
  });
  return survey;
}

Result<std::vector<Target>> ClusterProber::chosen() {
  placement::OsdInventory inventory;
  if (m_selection) {
    RADOSLOAD_ASSIGN(inventory, observe::fetch_osds(*m_admin));
    // When one of them is gone, those that are left of the earlier ones.
    if (auto found = placement::select_osds(*m_selection, inventory); found) {
      m_selected = *std::move(found);
    }
  } else {
    RADOSLOAD_ASSIGN(const auto tree, m_admin->mon(R"({"prefix": "osd tree", "format": "json"})"));
    RADOSLOAD_ASSIGN(inventory, placement::parse_osd_tree(tree));
  }
  std::vector<Target> targets;
  for (const placement::Osd& osd : inventory.osds) {
    const bool wanted =
        !m_selection || std::find(m_selected.begin(), m_selected.end(), osd.id) != m_selected.end();
    if (wanted) targets.push_back({.osd = osd.id, .device_class = osd.device_class});
  }
  return targets;
}

Status ClusterProber::renew() {
  auto renewed = m_lasting->renew();
  if (renewed || renewed.error().errnum != ENOENT) return renewed;
  return fail({.attempt = "continue the probe of pool",
               .subject = m_wish.pool,
               .reason = "a cleanup has removed its objects (--force), or the pool is gone",
               .hint = "start the probe again; it makes new objects",
               .exit = Exit::refused});
}

Status ClusterProber::choose(const placement::Pool& pool, const placement::PgMap& pgs,
                             const std::vector<Target>& targets) {
  std::vector<std::int32_t> placement = placement_of(pgs, targets);
  if (placement == m_placement) return {};
  placement::ObjectHash hash(m_wish.nspace, pool.pg_num);
  std::set<std::int32_t> osds;
  for (const Target& target : targets) osds.insert(target.osd);
  const auto numbers = placement::objects_led_by(osds, objects_of_osd, [&](std::uint64_t number) {
    const auto pg = pgs.find(hash(m_lasting->name_of(number)));
    return pg ? pg->primary : -1;
  });
  RADOSLOAD_TRY(use(numbers));
  m_placement = std::move(placement);
  return {};
}

Status ClusterProber::use(const std::map<std::int32_t, std::vector<std::uint64_t>>& numbers) {
  std::map<std::uint64_t, Presence> known;
  for (const auto& [osd, objects] : m_objects) {
    for (const Object& object : objects) known[object.number] = object.presence;
  }
  std::vector<std::uint64_t> all;
  Objects objects;
  for (const auto& [osd, chosen] : numbers) {
    auto& of_osd = objects[osd];
    for (const std::uint64_t number : chosen) {
      const auto before = known.find(number);
      of_osd.push_back({.number = number,
                        .name = m_lasting->name_of(number),
                        .presence = before == known.end() ? Presence::unknown : before->second});
      all.push_back(number);
    }
  }
  RADOSLOAD_TRY(m_lasting->add(all));
  base::log_info("the probe uses {} objects for {}", all.size(),
                 m_wish.by_pool ? "the pool" : fmt::format("{} OSDs", objects.size()));
  m_objects = std::move(objects);
  return {};
}

unsigned ClusterProber::at_once() const {
  // Visits are spread over the interval, so there are so many at once only on a large cluster, or
  // while OSDs do not answer.
  constexpr unsigned threads = 32;
  return threads;
}

Answer ClusterProber::probe(const Target& target, Kind kind, std::uint64_t turn) {
  const auto found = m_objects.find(target.osd);
  if (found == m_objects.end() || found->second.empty()) return {.skipped = true};
  std::vector<Object>& objects = found->second;
  if (kind == Kind::read) return read(objects[turn % objects.size()]);
  // Not one that was read a moment ago, or is read next.
  return write(objects[(turn + objects.size() / 2) % objects.size()]);
}

// An object that this process has never seen may not exist yet: it is made for the next time, and
// the read does not count. Few objects would be read from the memory of the drive.
Answer ClusterProber::read(Object& object) {
  cluster::BoundedIo::Content content;
  Answer answer;
  const auto start = std::chrono::steady_clock::now();
  answer.rc = m_io.read(object.name, object_size.count, content, librados::OP_FADVISE_DONTNEED);
  answer.took = since(start);
  const bool missing = answer.rc == -ENOENT;
  if (missing && std::exchange(object.presence, Presence::absent) != Presence::written) {
    answer = write(object);
    answer.skipped = answer.rc >= 0;
    return answer;
  }
  if (answer.rc >= 0) {
    object.presence = Presence::written;
    answer.rc = check(object.name, content.bytes);
  }
  return answer;
}

Answer ClusterProber::write(Object& object) {
  librados::bufferlist bytes;
  bytes.append(content_of(object.name));
  librados::ObjectWriteOperation write;
  write.write_full(bytes);
  write.set_op_flags2(librados::OP_FADVISE_DONTNEED);
  const auto start = std::chrono::steady_clock::now();
  Answer answer;
  answer.rc = m_io.operate(object.name, write);
  answer.took = since(start);
  if (answer.rc >= 0) object.presence = Presence::written;
  return answer;
}

}  // namespace radosload::probe
