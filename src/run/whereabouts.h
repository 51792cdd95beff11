// Which OSDs operations are waiting for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/pattern.h"

#include "engine/engine.h"
#include "run/measure.h"
#include "run/rados_place.h"

namespace radosload::run {

// By the map of the pool as it was when the run began: the OSD that is to serve an operation is the
// one to look at even when the map has moved on since.
class Whereabouts {
 public:
  // The place outlives it. `dataset` is the run whose name the objects carry.
  Whereabouts(const RadosPlace& place, const Pattern& pattern, std::string dataset);

  // "osd.3: 12 operations for up to 14 s (PG 3.1f)", the place with most of them first.
  std::vector<std::string> operator()(const engine::Stuck& stuck) const;

 private:
  std::optional<placement::Pg> pg_of(std::uint64_t object) const;

  const RadosPlace& m_place;
  bool m_objects;  // whether an operation has one object
  std::string m_dataset;
};

}  // namespace radosload::run
