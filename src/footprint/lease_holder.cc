#include "footprint/lease_holder.h"

#include <cstdint>

#include "footprint/owner.h"

#include <fmt/format.h>

namespace radosload::footprint {

std::string lease_holder(const std::list<obj_watch_t>& watchers, const Manifest& manifest) {
  const Owner& owner = manifest.owner;
  std::string other;
  for (const obj_watch_t& watcher : watchers) {
    if (static_cast<std::uint64_t>(watcher.watcher_id) != owner.client) {
      other = fmt::format("client.{} at {}", watcher.watcher_id, watcher.addr);
    } else if (!certainly_gone(owner)) {
      return fmt::format("pid {} on {}", owner.pid, owner.host);
    }
  }
  return other;
}

}  // namespace radosload::footprint
