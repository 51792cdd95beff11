// One handle on a cluster: found, authenticated and connected within a deadline, with an error that
// says which of the many ways to fail it was. Shut down when the last owner lets go of it.
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

  // A setting to use for as long as nobody has chosen another than librados's own default.
  struct Preference {
    std::string key;
    std::string librados_default;
    std::string value;
  };

  // Connects. The settings are librados options applied over the config file and CEPH_ARGS;
  // preferences are not, and are left out where this librados does not know them. Returns within
  // about options.timeout, whatever answers.
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
  // The pool's I/O context in the given namespace; a pool that is not there is an error that names
  // those that are.
  Result<librados::IoCtx> pool(const std::string& name, const std::string& nspace);

  std::uint64_t instance_id() { return m_rados.get_instance_id(); }
  // A librados setting in force; empty when there is none of that name.
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
