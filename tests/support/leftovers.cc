#include "support/leftovers.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "footprint/owner.h"
#include "workload/layout.h"

namespace radosload::test {

namespace {

std::string fresh_namespace() {
  static std::atomic<int> number{0};
  return "cleanup-test-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
}

// The pid of a process that has ended just now.
std::int64_t ended_pid() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

}  // namespace

TestNamespace::TestNamespace(const std::string& pool, std::string nspace, ClusterOptions options)
    : m_nspace(nspace.empty() ? fresh_namespace() : std::move(nspace)),
      m_connection(connect_here({{"rados_osd_op_timeout", "60"}}, std::move(options))),
      m_pool(open_pool(*m_connection, pool, m_nspace)) {}

TestNamespace::~TestNamespace() {
  m_pool.set_pool_full_try();
  for (const std::string& name : names()) m_pool.remove(name);
}

cluster::BoundedIo TestNamespace::io(Time limit) {
  librados::IoCtx pool;
  pool.dup(m_pool);
  return {m_connection, std::move(pool), limit};
}

footprint::Manifest TestNamespace::manifest(const std::string& run, std::uint64_t objects) {
  footprint::Manifest manifest;
  manifest.run = run;
  manifest.started = "2026-11-21T04:00:12Z";
  manifest.owner = footprint::this_process();
  manifest.owner.client = m_connection->instance_id();
  manifest.pool = m_pool.get_pool_name();
  manifest.nspace = m_nspace;
  manifest.pattern = "randrw4k";
  manifest.objects = objects;
  manifest.object_size = kib(4);
  return manifest;
}

void TestNamespace::make_object(const std::string& name, const std::string& content) {
  librados::bufferlist bytes;
  bytes.append(content);
  if (m_pool.write_full(name, bytes) < 0) throw std::runtime_error("cannot write " + name);
}

void TestNamespace::make_objects(const std::string& run, std::uint64_t count) {
  std::string name(workload::object_name_size(run), ' ');
  for (std::uint64_t i = 0; i < count; ++i) {
    workload::object_name(name, run, i);
    make_object(name);
  }
}

void TestNamespace::leave_killed(const std::string& run, std::uint64_t objects,
                                 std::uint64_t filled) {
  footprint::Manifest left = manifest(run, objects);
  left.owner.pid = ended_pid();
  footprint::Ledger written = ledger();
  const auto hold = written.create(left);
  if (!hold) throw std::runtime_error(hold.error().message());
  make_objects(run, filled);
}

std::vector<std::string> TestNamespace::names() {
  std::vector<std::string> found;
  cluster::BoundedIo::Cursor cursor;
  auto listing = io(std::chrono::seconds(60));
  for (bool end = false; !end;) {
    if (listing.list(cursor, found, end) < 0) throw std::runtime_error("cannot list " + m_nspace);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace radosload::test
