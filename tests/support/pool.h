// Pools for tests that need one of their own: with quotas, or deleted during a load.
#pragma once

#include <memory>
#include <string>

#include "cluster/connection.h"
#include "support/wait_for.h"

namespace radosload::test {

// A pool of 8 PGs, ready for I/O; deleted with this object. An unreplicated one has 32, so that
// each OSD of the lab serves some.
class TestPool {
 public:
  enum class Kind { replicated, unreplicated, erasure, erasure_with_overwrites };
  explicit TestPool(const std::string& name, Kind kind = Kind::replicated);
  ~TestPool();
  TestPool(const TestPool&) = delete;
  TestPool& operator=(const TestPool&) = delete;
  TestPool(TestPool&&) = delete;
  TestPool& operator=(TestPool&&) = delete;

  const std::string& name() const { return m_name; }
  // Sets a quota of this many objects, writes one object more, and returns when the pool is flagged
  // full: writes then wait for ever.
  void fill_to_quota();
  void lift_quota();
  void remove();

 private:
  std::string m_name;
};

ClusterOptions options_here();
std::shared_ptr<cluster::Connection> connect_here(
    const cluster::Connection::Settings& settings = {},
    const ClusterOptions& options = options_here());
librados::IoCtx open_pool(cluster::Connection& connection, const std::string& pool,
                          const std::string& nspace = "radosload");

}  // namespace radosload::test
