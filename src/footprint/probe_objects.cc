#include "footprint/probe_objects.h"

#include <utility>

#include "footprint/cleanup.h"
#include "footprint/owner.h"
#include "observe/fetch_osd_map.h"
#include "observe/space.h"
#include "placement/led_objects.h"
#include "placement/object_hash.h"
#include "placement/pg_map.h"
#include "workload/layout.h"
#include "workload/payload.h"

#include <fmt/format.h>
#include <rados/librados.hpp>

namespace radosload::footprint {

namespace {

constexpr Time probe_stall_limit = std::chrono::seconds(30);

std::string probe_name(const std::string& id, std::uint64_t number) {
  std::string buffer(workload::object_name_size(id), '\0');
  return std::string(workload::object_name(buffer, id, number));
}

// Which OSD serves the object of a number.
Result<std::vector<std::uint64_t>> choose_numbers(AdminCommands& commands, const ProbeWish& wish,
                                                  std::int64_t pool_id) {
  RADOSLOAD_ASSIGN(const auto map, observe::fetch_osd_map(commands));
  const placement::Pool* const pool = map.pool(pool_id);
  if (pool == nullptr || pool->pg_num == 0) {
    return fail({.attempt = "probe reads in pool",
                 .subject = wish.pool,
                 .reason = "it is no longer in the osdmap",
                 .exit = Exit::no_cluster});
  }
  RADOSLOAD_ASSIGN(const auto pgs, observe::fetch_pgs(commands, pool_id));
  placement::ObjectHash hash(default_namespace, pool->pg_num);
  const auto primary_of = [&](std::uint64_t number) {
    const auto pg = pgs.find(hash(probe_name(wish.id, number)));
    return pg ? pg->primary : -1;
  };
  auto numbers = numbers_led_by(wish.osds, ProbeObjects::objects_of_osd, primary_of);
  if (numbers) return numbers;
  Error error = numbers.error();
  error.subject = wish.pool;
  return fail(std::move(error));
}

}  // namespace

Result<std::vector<std::uint64_t>> numbers_led_by(
    const std::vector<std::int32_t>& osds, std::size_t each,
    const std::function<std::int32_t(std::uint64_t)>& primary_of) {
  auto found = placement::objects_led_by({osds.begin(), osds.end()}, each, primary_of);
  std::vector<std::uint64_t> numbers;
  for (const std::int32_t osd : osds) {
    const auto& of_osd = found[osd];
    if (of_osd.size() < each) {
      return fail({.attempt = "probe reads in pool",
                   .reason = fmt::format("osd.{} leads no PG of it", osd),
                   .hint = "choose with --pool one whose PGs all these OSDs lead",
                   .exit = Exit::no_cluster});
    }
    numbers.insert(numbers.end(), of_osd.begin(), of_osd.end());
  }
  return numbers;
}

Result<std::unique_ptr<ProbeObjects>> ProbeObjects::make(AdminCommands& commands,
                                                         cluster::BoundedIo io,
                                                         const ProbeWish& wish) {
  RADOSLOAD_ASSIGN(const auto numbers, choose_numbers(commands, wish, io.pool().get_id()));
  Manifest manifest;
  manifest.run = wish.id;
  manifest.started = wish.started;
  manifest.owner = this_process();
  manifest.owner.client = io.connection().instance_id();
  manifest.pool = wish.pool;
  manifest.nspace = std::string(default_namespace);
  manifest.pattern = "time compact";
  manifest.objects = numbers.size();
  manifest.object_size = object_size;
  manifest.stamp = workload::stamp_id(wish.id);
  manifest.osds = wish.osds;
  manifest.picked = numbers;
  std::unique_ptr<ProbeObjects> probe(new ProbeObjects(io, std::move(manifest)));
  RADOSLOAD_ASSIGN(probe->m_hold, probe->m_site.create(probe->m_manifest));
  if (auto written = probe->write(); !written) {
    static_cast<void>(probe->remove());
    return fail(written.error());
  }
  return probe;
}

std::string ProbeObjects::name_of(std::uint64_t number) const {
  return probe_name(m_manifest.run, number);
}

Status ProbeObjects::write() {
  librados::bufferlist bytes;
  bytes.append(std::string(object_size.count, 'p'));
  for (std::size_t i = 0; i < m_manifest.picked.size(); ++i) {
    std::string name = name_of(m_manifest.picked[i]);
    librados::ObjectWriteOperation write;
    write.write_full(bytes);
    if (const int rc = m_io.operate(name, write); rc < 0) {
      return fail({.attempt = "write an object to probe reads with",
                   .subject = fmt::format("in pool {}", m_manifest.pool),
                   .errnum = -rc,
                   .exit = Exit::no_cluster});
    }
    m_names[m_manifest.osds[i / objects_of_osd]].push_back(std::move(name));
  }
  m_manifest.state = State::ready;
  m_manifest.filled_objects = m_manifest.objects;
  m_manifest.filled = Bytes{m_manifest.objects * object_size.count};
  return m_site.update(m_manifest, nullptr);
}

int ProbeObjects::read(std::int32_t osd, std::uint64_t turn) {
  const auto& names = m_names.at(osd);
  cluster::BoundedIo::Content content;
  return m_io.read(names[turn % names.size()], object_size.count, content,
                   librados::OP_FADVISE_DONTNEED);
}

Status ProbeObjects::remove() {
  CleanupOptions options;
  options.stall_limit = probe_stall_limit;
  const auto removed = remove_run(m_site, m_manifest, options);
  m_hold.reset();
  if (removed.fate == Fate::removed) return {};
  return fail({.attempt = "remove the objects that reads were probed with",
               .subject = fmt::format("in pool {}", m_manifest.pool),
               .reason = removed.detail,
               .hint = fmt::format("remove them later with 'radosload cleanup --pool {} --run {}'",
                                   m_manifest.pool, m_manifest.run)});
}

}  // namespace radosload::footprint
