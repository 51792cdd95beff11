// What sessions and their removal ask of one namespace of one pool. Each write is one operation of
// RADOS: its conditions and its changes hold together or not at all. Tests use a pool in memory,
// where other clients act between any two calls.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "radosload/units.h"

#include "cluster/bounded_io.h"

namespace radosload::footprint {

struct SessionWrite {
  // Conditions.
  std::optional<std::uint64_t> over = {};                           // the object has this version
  std::optional<std::pair<std::string, std::string>> only_if = {};  // an attribute, and its value
  bool exists = false;                                              // the object is there
  // Changes.
  std::map<std::string, std::string> set = {};  // attributes
  std::string unset = {};                       // one attribute
  bool empties = false;                         // the content goes, attributes stay
  bool removes = false;                         // the object goes
};

// The object is not there, or not as the conditions want it.
bool is_refused_write(int rc);

// Return codes as BoundedIo has them.
class SessionPool {
 public:
  SessionPool() = default;
  virtual ~SessionPool() = default;
  SessionPool(const SessionPool&) = delete;
  SessionPool& operator=(const SessionPool&) = delete;
  SessionPool(SessionPool&&) = delete;
  SessionPool& operator=(SessionPool&&) = delete;

  virtual int attributes(const std::string& object, cluster::BoundedIo::Attributes& into,
                         std::uint64_t* version) = 0;
  virtual int watchers(const std::string& object, std::list<obj_watch_t>& into) = 0;
  virtual int write(const std::string& object, const SessionWrite& write) = 0;
  // Of each call.
  virtual Time limit() const = 0;
};

class ClusterSessions final : public SessionPool {
 public:
  explicit ClusterSessions(cluster::BoundedIo io) : m_io(std::move(io)) {}

  int attributes(const std::string& object, cluster::BoundedIo::Attributes& into,
                 std::uint64_t* version) override;
  int watchers(const std::string& object, std::list<obj_watch_t>& into) override;
  int write(const std::string& object, const SessionWrite& write) override;
  Time limit() const override { return m_io.limit(); }

 private:
  cluster::BoundedIo m_io;
};

}  // namespace radosload::footprint
