#include "support/pool.h"

#include <stdexcept>
#include <unistd.h>
#include <utility>

#include "support/cluster.h"
#include "support/wait_for.h"

namespace radosload::test {

namespace {

void must(const std::vector<std::string>& words) {
  const Finished done = ceph(words);
  if (done.status == 0) return;
  std::string command = "ceph";
  for (const std::string& word : words) command += " " + word;
  throw std::runtime_error(command + ": " + done.err);
}

std::vector<std::string> creation(const std::string& name, TestPool::Kind kind) {
  if (kind == TestPool::Kind::replicated) return {"osd", "pool", "create", name, "8"};
  if (kind == TestPool::Kind::unreplicated) {
    return {"osd", "pool", "create", name, "32", "32", "replicated", "--size", "1"};
  }
  return {"osd", "pool", "create", name, "8", "8", "erasure", "ec-k2m1"};
}

// The first operation on a new pool waits until its PGs are active.
void touch(const std::string& name) {
  const auto connection = connect_here({{"rados_osd_op_timeout", "60"}});
  librados::IoCtx pool = open_pool(*connection, name, "touch");
  if (pool.create("touch", false) < 0 || pool.remove("touch") < 0) {
    throw std::runtime_error("pool " + name + " takes no operations");
  }
}

}  // namespace

TestPool::TestPool(const std::string& name, Kind kind)
    : m_name("radosload-test-" + name + "-" + std::to_string(::getpid())) {
  must(creation(m_name, kind));
  if (kind == Kind::erasure_with_overwrites) {
    must({"osd", "pool", "set", m_name, "allow_ec_overwrites", "true"});
  }
  must({"osd", "pool", "application", "enable", m_name, "radosload"});
  touch(m_name);
}

TestPool::~TestPool() {
  remove();
}

void TestPool::remove() {
  ceph({"osd", "pool", "delete", m_name, m_name, "--yes-i-really-really-mean-it"});
}

void TestPool::fill_to_quota() {
  const auto connection = connect_here({{"rados_osd_op_timeout", "60"}});
  librados::IoCtx pool = open_pool(*connection, m_name, "filler");
  for (const char* const name : {"a", "b"}) pool.create(name, false);
  must({"osd", "pool", "set-quota", m_name, "max_objects", "1"});
  const auto full = wait_for_answer({"osd", "pool", "ls", "detail"}, "full_quota");
  if (!full) throw std::runtime_error(full.message());
  // An operation on the pool gives the clients its next map, with the flag.
}

void TestPool::lift_quota() {
  must({"osd", "pool", "set-quota", m_name, "max_objects", "0"});
}

ClusterOptions options_here() {
  ClusterOptions options;
  options.conf = cluster_conf();
  return options;
}

std::shared_ptr<cluster::Connection> connect_here(const cluster::Connection::Settings& settings,
                                                  const ClusterOptions& options) {
  auto connection = cluster::Connection::open(options, settings);
  if (!connection) throw std::runtime_error(connection.error().message());
  return *std::move(connection);
}

librados::IoCtx open_pool(cluster::Connection& connection, const std::string& pool,
                          const std::string& nspace) {
  auto opened = connection.pool(pool, nspace);
  if (!opened) throw std::runtime_error(opened.error().message());
  return *std::move(opened);
}

}  // namespace radosload::test
