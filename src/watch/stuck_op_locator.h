// Finds the OSDs that operations are waiting for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "prepare/cluster_session.h"
#include "prepare/object_naming.h"

namespace radosload::watch {

// "12 operations for up to 14 s"
std::string waiting_text(std::uint64_t count, Time oldest);
// Only the text above: for targets without OSDs.
std::vector<std::string> waiting_somewhere(const engine::Stuck& stuck);

// Uses the pool's map from the beginning of the run, because the OSD that had to serve an operation
// is the one to check, even if the map has changed since.
class StuckOpLocator {
 public:
  // The session must outlive it.
  StuckOpLocator(const prepare::ClusterSession& session, prepare::ObjectNaming names);

  // "osd.3: 12 operations for up to 14 s (PG 3.1f)", the place with the most operations first.
  std::vector<std::string> operator()(const engine::Stuck& stuck) const;

 private:
  std::optional<placement::Pg> pg_of(std::uint64_t object) const;

  const prepare::ClusterSession& m_place;
  prepare::ObjectNaming m_names;
};

}  // namespace radosload::watch
