// One client of a file system (CephFS), mounted at one of its directories, which it cannot leave.
// libcephfs has a lock for the whole client, so a load that one of them cannot carry needs several.
// Calls block: they wait as long as no MDS answers, unless abort() ends them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "cluster/connection.h"
#include "cluster/file_tree.h"

struct ceph_mount_info;

namespace radosload::cluster {

class Mount final : public FileTree {
 public:
  struct Place {
    std::string file_system;
    std::string root = "/";     // paths begin here
    std::string identity = {};  // by which end_client() finds this client; empty: it does not
  };

  // As the user of `like`, with its config and keyring, within about the time limit of that
  // connection. The client caches no data of files (client_oc=false); `settings` come on top. The
  // errnum of the Error is ENOENT when the root does not exist.
  static Result<std::shared_ptr<Mount>> open(const Connection& like, const Place& place,
                                             const Connection::Settings& settings = {});
  // Ends the session of a client that was killed: else the MDS waits a minute for it before others
  // may use its files. Whether there was one. The MDS allows it for clients of the same user.
  static bool end_client(const Connection& like, const std::string& file_system,
                         const std::string& identity);
  // Unmounts; after some seconds without an answer this continues in the background. A client that
  // abort() has not ended stays until the process ends.
  ~Mount() override;
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;
  Mount(Mount&&) = delete;
  Mount& operator=(Mount&&) = delete;

  ceph_mount_info* handle() const { return m_handle; }
  // As the MDS lists it ('ceph tell mds.NAME client ls').
  std::uint64_t instance_id() const;
  std::string setting(const std::string& key) const;

  int make_directory(const std::string& path, unsigned mode) override;
  int remove_directory(const std::string& path) override;
  int make_file(const std::string& path, unsigned mode, std::uint64_t& inode) override;
  int remove_file(const std::string& path) override;
  int set_attribute(const std::string& path, const std::string& name,
                    const std::string& value) override;
  int attribute(const std::string& path, const std::string& name, std::string& value) override;
  int is_directory(const std::string& path) override;
  int names_in(const std::string& path, std::vector<std::string>& names) override;
  void abort() noexcept override;

 private:
  explicit Mount(ceph_mount_info* handle) : m_handle(handle) {}

  ceph_mount_info* m_handle;
  std::atomic<bool> m_abort_hangs{false};
};

// What to tell a user whose key or whose file permissions are not enough.
std::string mount_rights_hint(const std::string& file_system);

}  // namespace radosload::cluster
