// Makes the leftovers of a run that was killed at a given step, and objects that do not belong to
// radosload.
#pragma once

#include <string>
#include <vector>

#include "footprint/ledger.h"
#include "support/pool.h"

namespace radosload::test {

// A namespace that no other test uses, accessed through a handle of its own.
class TestNamespace {
 public:
  explicit TestNamespace(const std::string& pool, std::string nspace = {},
                         ClusterOptions options = options_here());
  // Removes everything in the namespace.
  ~TestNamespace();
  TestNamespace(const TestNamespace&) = delete;
  TestNamespace& operator=(const TestNamespace&) = delete;
  TestNamespace(TestNamespace&&) = delete;
  TestNamespace& operator=(TestNamespace&&) = delete;

  cluster::BoundedIo io(Time limit = std::chrono::seconds(60));
  footprint::Ledger ledger() { return footprint::Ledger(io()); }
  const std::string& nspace() const { return m_nspace; }

  footprint::Manifest manifest(const std::string& run, std::uint64_t objects = 8);
  // The objects 0 .. count-1 of a run, and an object with any name.
  void make_objects(const std::string& run, std::uint64_t count);
  void make_object(const std::string& name, const std::string& content = "content");
  // A killed run: its manifest names a process of this machine that has ended.
  void leave_killed(const std::string& run, std::uint64_t objects, std::uint64_t filled);
  std::vector<std::string> names();

 private:
  std::string m_nspace;
  std::shared_ptr<cluster::Connection> m_connection;
  librados::IoCtx m_pool;
};

}  // namespace radosload::test
