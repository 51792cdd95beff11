#include "cluster/connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <unistd.h>
#include <utility>

#include "base/log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cluster {

namespace {

constexpr int config_search_failed = -ENOENT;

Error no_cluster(std::string attempt, std::string subject, std::string hint, int rc = 0,
                 std::string reason = {}) {
  return Error{.attempt = std::move(attempt),
               .subject = std::move(subject),
               .reason = std::move(reason),
               .hint = std::move(hint),
               .errnum = std::abs(rc),
               .exit = Exit::no_cluster};
}

// Ceph separates the paths of its keyring setting by commas, semicolons or white space.
std::vector<std::string> split_paths(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
  std::istringstream stream(text);
  std::vector<std::string> paths;
  for (std::string path; stream >> path;) paths.push_back(path);
  return paths;
}

}  // namespace

Result<std::shared_ptr<Connection>> Connection::open(const ClusterOptions& options,
                                                     const Settings& settings,
                                                     const std::vector<Preference>& preferences) {
  // Not make_shared: the constructor is private, so that every Connection is connected.
  std::shared_ptr<Connection> connection(new Connection(options));
  RADOSLOAD_TRY(connection->configure(settings, preferences));
  RADOSLOAD_TRY(connection->check_keyring());
  const auto start = std::chrono::steady_clock::now();
  RADOSLOAD_TRY(connection->connect());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  base::log_info("connected as {} (client.{}) to the mons at {} in {:.1f} ms", connection->user(),
                 connection->instance_id(), connection->setting("mon_host"), took.count());
  return connection;
}

Connection::~Connection() {
  if (m_initialised) m_rados.shutdown();
}

std::string Connection::user() const {
  if (m_options.name.empty()) return "client.admin";
  return m_options.name.find('.') == std::string::npos ? "client." + m_options.name
                                                       : m_options.name;
}

Status Connection::configure(const Settings& settings, const std::vector<Preference>& preferences) {
  const int rc = m_rados.init2(user().c_str(), m_options.cluster.c_str(), 0);
  if (rc < 0) {
    return fail(no_cluster("create a Ceph client named", user(),
                           "write the name as TYPE.ID, for example client.admin", rc));
  }
  m_initialised = true;
  // librados would also log each failure to stderr, beside radosload's own message.
  m_rados.conf_set("log_to_stderr", "false");
  m_rados.conf_set("err_to_stderr", "false");
  if (auto status = read_config(); !status) return status;
  m_rados.conf_parse_env(nullptr);
  if (!m_options.keyring.empty()) m_rados.conf_set("keyring", m_options.keyring.c_str());
  if (!m_options.mon_host.empty()) m_rados.conf_set("mon_host", m_options.mon_host.c_str());
  // Both take whole seconds; 0 would mean "for ever".
  const auto whole = std::chrono::ceil<std::chrono::seconds>(m_options.timeout).count();
  const std::string limit = std::to_string(std::max<std::int64_t>(1, whole));
  m_rados.conf_set("client_mount_timeout", limit.c_str());
  m_rados.conf_set("rados_mon_op_timeout", limit.c_str());
  Settings all = settings;
  for (const Preference& preference : preferences) {
    const bool chosen = setting(preference.key) != preference.librados_default;
    if (!chosen) all.emplace(preference.key, preference.value);
  }
  return apply(all);
}

Status Connection::apply(const Settings& settings) {
  for (const auto& [key, value] : settings) {
    base::log_debug("librados option {} = {}", key, value);
    if (const int set = m_rados.conf_set(key.c_str(), value.c_str()); set < 0) {
      return fail(no_cluster("set the librados option", fmt::format("{}={}", key, value), {}, set));
    }
  }
  return {};
}

Status Connection::read_config() {
  const std::string& path = m_options.conf;
  const char* const from_environment = std::getenv("CEPH_CONF");
  const std::string named = !path.empty()                 ? path
                            : from_environment != nullptr ? from_environment
                                                          : "";
  if (!named.empty() && ::access(named.c_str(), R_OK) != 0) {
    return fail(no_cluster(
        "read the Ceph config", named,
        path.empty() ? "the path comes from CEPH_CONF: correct it, unset it, or use --conf FILE"
                     : "give another file with --conf FILE",
        errno));
  }
  const int rc = m_rados.conf_read_file(path.empty() ? nullptr : path.c_str());
  base::log_debug("Ceph config: {}", path.empty() ? "searched in Ceph's usual places" : path);
  if (rc == config_search_failed && !m_options.mon_host.empty()) return {};
  if (rc == config_search_failed) {
    return fail(
        no_cluster("find a Ceph config",
                   fmt::format("(searched: /etc/ceph/{0}.conf, ~/.ceph/{0}.conf and ./{0}.conf)",
                               m_options.cluster),
                   "give one with --conf FILE or CEPH_CONF, or give the mons with -m HOST"));
  }
  if (rc < 0) {
    return fail(no_cluster("parse the Ceph config", named,
                           "check its [sections] and line endings: Ceph expects ini format", rc));
  }
  return {};
}

Status Connection::check_keyring() const {
  const std::string required = setting("auth_client_required");
  if (required.find("cephx") == std::string::npos) return {};
  if (!setting("key").empty() || !setting("keyfile").empty()) return {};
  const std::vector<std::string> paths = split_paths(setting("keyring"));
  int worst = ENOENT;
  for (const std::string& path : paths) {
    if (::access(path.c_str(), R_OK) == 0) return {};
    if (errno != ENOENT) worst = errno;
  }
  return fail(no_cluster(
      fmt::format("find a keyring for {}:", user()),
      paths.empty() ? "(no path is configured)" : fmt::format("{}", fmt::join(paths, ", ")),
      worst == EACCES ? "make it readable for this user, or give another with --keyring FILE"
                      : "give one with --keyring FILE, or another user with --id",
      worst));
}

Status Connection::connect() {
  const int rc = m_rados.connect();
  if (rc < 0) return fail(connect_error(rc));
  return {};
}

Error Connection::connect_error(int rc) const {
  const std::string mons = setting("mon_host");
  const std::string where = fmt::format("as {} to the mons at {}", user(), mons);
  switch (-rc) {
    case ETIMEDOUT:
      return no_cluster(
          "connect", where,
          "check that the mons are up and that this host reaches them (mon_host in the config)", rc,
          fmt::format("no answer within {}", human_text(m_options.timeout)));
    case EACCES:
    case EPERM:
    case ENOTSUP:
    case EKEYREJECTED:
      return no_cluster(
          "log in", where,
          fmt::format("compare the key in the keyring with 'ceph auth get {}'", user()), rc,
          "the cluster has no such user, or the key is wrong");
    case ENOENT:
      return no_cluster(
          "connect", where,
          fmt::format("check mon_host in the config, and that the keyring has a [{}]", user()), rc,
          mons.empty() ? "the config names no mons" : "no mon, or no key for this user");
    case EIO:
    case EINVAL:
      return no_cluster(fmt::format("read the key of {} in", user()), setting("keyring"),
                        fmt::format("write the keyring again: 'ceph auth get {} -o FILE'", user()),
                        rc, "it is not a valid key");
    default:
      return no_cluster("connect", where, "see 'ceph -s' with the same options", rc);
  }
}

Result<std::string> Connection::fsid() {
  std::string fsid;
  if (const int rc = m_rados.cluster_fsid(&fsid); rc < 0) {
    return fail(no_cluster("read the cluster's fsid", {}, {}, rc));
  }
  return fsid;
}

Result<std::vector<PoolName>> Connection::pools() {
  std::list<std::pair<std::int64_t, std::string>> listed;
  if (const int rc = m_rados.pool_list2(listed); rc < 0) {
    return fail(no_cluster("list the pools", {}, {}, rc));
  }
  std::vector<PoolName> pools;
  for (auto& [id, name] : listed) pools.push_back({id, std::move(name)});
  return pools;
}

Result<librados::IoCtx> Connection::pool(const std::string& name, const std::string& nspace) {
  librados::IoCtx context;
  const int rc = m_rados.ioctx_create(name.c_str(), context);
  if (rc == -ENOENT) {
    std::vector<std::string> names;
    if (const auto known = pools()) {
      for (const PoolName& pool : *known) names.push_back(pool.name);
    }
    return fail(no_cluster("open the pool", fmt::format("'{}'", name),
                           names.empty()
                               ? std::string("the cluster has no pools")
                               : fmt::format("the cluster has: {}", fmt::join(names, ", ")),
                           0, "there is no such pool"));
  }
  if (rc < 0) return fail(no_cluster("open the pool", fmt::format("'{}'", name), {}, rc));
  context.set_namespace(nspace);
  return context;
}

std::string Connection::setting(const std::string& key) const {
  std::string value;
  // conf_get is not const in older librados, though it changes nothing.
  if (const_cast<librados::Rados&>(m_rados).conf_get(key.c_str(), value) < 0) return {};
  return value;
}

}  // namespace radosload::cluster
