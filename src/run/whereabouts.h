// Which OSDs operations are waiting for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "run/measure.h"
#include "run/rados_place.h"

namespace radosload::run {

// What an operation's object is called, and the pool that it is in.
struct ObjectNames {
  std::function<std::string(std::uint64_t object)>
      name_of;                             // empty: an operation has no one object
  std::vector<std::string> prefixes = {};  // one of these begins each of the names
  librados::IoCtx pool;
};

// By the map of the pool as it was when the run began: the OSD that is to serve an operation is the
// one to look at even when the map has moved on since.
class Whereabouts {
 public:
  // The place outlives it.
  Whereabouts(const RadosPlace& place, ObjectNames names);

  // "osd.3: 12 operations for up to 14 s (PG 3.1f)", the place with most of them first.
  std::vector<std::string> operator()(const engine::Stuck& stuck) const;

 private:
  std::optional<placement::Pg> pg_of(std::uint64_t object) const;

  const RadosPlace& m_place;
  ObjectNames m_names;
};

}  // namespace radosload::run
