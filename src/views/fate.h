// What became of something that radosload made and was asked to remove, as JSON names it.
#pragma once

#include "footprint/cleanup.h"

namespace radosload::views {

inline const char* fate_name(footprint::Fate fate) {
  using footprint::Fate;
  switch (fate) {
    case Fate::removed:
      return "removed";
    case Fate::would:
      return "would";
    case Fate::held:
      return "held";
    case Fate::kept:
      return "kept";
    case Fate::unreadable:
      return "unreadable";
    case Fate::failed:
      return "failed";
  }
  return "";
}

}  // namespace radosload::views
