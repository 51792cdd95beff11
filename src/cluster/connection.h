// One cluster handle: finds the config and the keyring, authenticates and connects within a time
// limit, with a distinct error for each way to fail. Shut down when the last owner releases it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include <rados/librados.hpp>

namespace radosload::cluster {

struct PoolName {
  std::int64_t id = 0;
  std::string name;
};

class Connection {
 public:
  using Settings = std::map<std::string, std::string>;

  // A setting that applies only if the user left librados's default unchanged.
  struct Preference {
    std::string key;
    std::string librados_default;
    std::string value;
  };

  // Connects within about options.timeout. The settings override the config file and CEPH_ARGS; the
  // preferences do not, and are skipped if this librados does not know them.
  static Result<std::shared_ptr<Connection>> open(const ClusterOptions& options,
                                                  const Settings& settings = {},
                                                  const std::vector<Preference>& preferences = {});

  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  Connection(Connection&&) = delete;
  Connection& operator=(Connection&&) = delete;

  Result<std::string> fsid();
  Result<std::vector<PoolName>> pools();
  // The pool's I/O context in the given namespace; for a missing pool, an error that lists the
  // existing ones.
  Result<librados::IoCtx> pool(const std::string& name, const std::string& nspace);

  std::uint64_t instance_id() { return m_rados.get_instance_id(); }
  // The current value of a librados setting; empty for an unknown name.
  std::string setting(const std::string& key) const;
  const ClusterOptions& options() const { return m_options; }
  librados::Rados& rados() { return m_rados; }

 private:
  explicit Connection(ClusterOptions options) : m_options(std::move(options)) {}
  Status configure(const Settings& settings, const std::vector<Preference>& preferences);
  Status apply(const Settings& settings);
  Status read_config();
  Status check_keyring() const;
  Status connect();
  Error connect_error(int rc) const;
  std::string user() const;

  ClusterOptions m_options;
  librados::Rados m_rados;
  bool m_initialised = false;
};

}  // namespace radosload::cluster
