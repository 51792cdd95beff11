// The objects of sessions in one namespace, as those who find and remove sessions see them: every
// operation that they carry out there. On a cluster it is ClusterSessions; tests use one in memory,
// where other clients act between any two calls.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "radosload/units.h"

#include "cluster/bounded_io.h"

namespace radosload::footprint {

// Return codes are librados's: 0 or more, or a negative errno.
class SessionSite {
 public:
  SessionSite() = default;
  virtual ~SessionSite() = default;
  SessionSite(const SessionSite&) = delete;
  SessionSite& operator=(const SessionSite&) = delete;
  SessionSite(SessionSite&&) = delete;
  SessionSite& operator=(SessionSite&&) = delete;

  using Attributes = cluster::BoundedIo::Attributes;
  virtual int attributes(const std::string& object, Attributes& into, std::uint64_t* version) = 0;
  struct Watcher {
    std::uint64_t client = 0;
    std::string address = {};
  };
  virtual int watchers(const std::string& object, std::vector<Watcher>& into) = 0;
  // Sets it to "1", and makes the object.
  virtual int set_attribute(const std::string& object, const std::string& key) = 0;
  // Only while the object has this version; otherwise -ERANGE or -EOVERFLOW.
  virtual int remove_attribute(const std::string& object, const std::string& key,
                               std::uint64_t version) = 0;
  virtual int remove_object(const std::string& object, std::uint64_t version) = 0;
  virtual int remove_object(const std::string& object) = 0;

  virtual void pause(Time time) = 0;
  virtual Time limit() const = 0;  // of each operation
};

class ClusterSessions final : public SessionSite {
 public:
  explicit ClusterSessions(cluster::BoundedIo io) : m_io(std::move(io)) {}

  int attributes(const std::string& object, Attributes& into, std::uint64_t* version) override {
    return m_io.attributes(object, into, version);
  }
  int watchers(const std::string& object, std::vector<Watcher>& into) override;
  int set_attribute(const std::string& object, const std::string& key) override;
  int remove_attribute(const std::string& object, const std::string& key,
                       std::uint64_t version) override;
  int remove_object(const std::string& object, std::uint64_t version) override;
  int remove_object(const std::string& object) override;
  void pause(Time time) override;
  Time limit() const override { return m_io.limit(); }

 private:
  cluster::BoundedIo m_io;
};

}  // namespace radosload::footprint
