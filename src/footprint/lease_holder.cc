#include "footprint/lease_holder.h"

#include <algorithm>
#include <cstdint>

#include "footprint/owner.h"

#include <fmt/format.h>

namespace radosload::footprint {

std::string lease_holder(const std::list<obj_watch_t>& watchers, const Manifest& manifest) {
  const Owner& owner = manifest.owner;
  std::string other;
  for (const obj_watch_t& watcher : watchers) {
    const auto client = static_cast<std::uint64_t>(watcher.watcher_id);
    const auto& ended = manifest.ended_clients;
    if (std::find(ended.begin(), ended.end(), client) != ended.end()) continue;
    if (client != owner.client) {
      other = fmt::format("client.{} at {}", watcher.watcher_id, watcher.addr);
    } else if (!certainly_gone(owner)) {
      return fmt::format("pid {} on {}", owner.pid, owner.host);
    }
  }
  return other;
}

}  // namespace radosload::footprint
