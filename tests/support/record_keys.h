// The keys of a record that only a run on a cluster can have, or on a device of its own.
#pragma once

#include <algorithm>
#include <set>
#include <string>

namespace radosload::test {

// Includes all keys below them.
inline const std::set<std::string>& keys_of_clusters_only() {
  static const std::set<std::string> keys = {
      "/routing",
      "/grade/reasons",
      "/environment/fsid",
      "/environment/osds",
      "/environment/pool",
      "/environment/ceph_versions",
      "/environment/client/instances",
      "/environment/client/settings",
      "/environment/data_pool",
      "/environment/drive",
      "/environment/file_system",
      "/environment/health",
      "/environment/images",
      "/environment/osdmap_epoch",
      "/osds/OSD/counters",
      "/osds/OSD/share_ours",
      "/plan/pool",
      "/plan/fs",
      "/plan/image",
      "/plan/image-namespace",
      "/plan/data-pool",
      "/plan/destroy-data",
      "/plan/rbd-cache",
      "/plan/osd",
      "/plan/luks-passphrase",
      "/plan/keep",
      "/plan/reuse",
      "/plan/allow-unhealthy",
      "/plan/conf",
      "/plan/name",
      "/plan/keyring",
      "/plan/mon-host",
      "/plan/observer-id",
      "/plan/observer-keyring",
      "/plan/session",
      "/plan/members",
      "/plan/wait",
      "/plan/share",
      "/client",
      "/members",
      "/slowest_search",
      "/slowest/N/waited",
      "/slowest/N/pg",
  };
  return keys;
}

inline bool of_clusters_only(const std::string& path) {
  const auto& keys = keys_of_clusters_only();
  return std::any_of(keys.begin(), keys.end(), [&path](const std::string& key) {
    return path == key || path.starts_with(key + "/");
  });
}

}  // namespace radosload::test
