#include "cluster/mount.h"

#include <algorithm>
#include <array>
#include <cephfs/libcephfs.h>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <utility>

#include "base/log.h"
#include "cluster/bounded_call.h"

#include <fmt/format.h>

namespace radosload::cluster {

namespace {

// How long an MDS may take to confirm that a client leaves; after that libcephfs leaves without it.
constexpr const char* seconds_to_leave = "5";
constexpr Time unmount_limit = std::chrono::seconds(15);
constexpr Time abort_limit = std::chrono::seconds(5);
// What mounting may take beyond libcephfs's own time limit.
constexpr Time mount_margin = std::chrono::seconds(5);
// Calls wait no longer for an OSD: they cannot be taken back.
constexpr const char* seconds_for_osd = "120";

Error mount_failed(const std::string& file_system, std::string reason, std::string hint, int rc) {
  return {.attempt = "mount the file system",
          .subject = file_system,
          .reason = std::move(reason),
          .hint = std::move(hint),
          .errnum = std::abs(rc),
          .exit = Exit::no_cluster};
}

Error mount_error(const Mount::Place& place, int rc) {
  switch (-rc) {
    case EACCES:
    case EPERM:
      return mount_failed(place.file_system, fmt::format("this user may not use {}", place.root),
                          mount_rights_hint(place.file_system), rc);
    case ENOENT:
      return mount_failed(place.file_system, fmt::format("it has no directory {}", place.root), "",
                          rc);
    case ETIMEDOUT:
      return mount_failed(
          place.file_system, "no MDS answered in time",
          fmt::format("check with 'ceph fs status {}' that one is active and answers",
                      place.file_system),
          rc);
    default:
      return mount_failed(place.file_system, "",
                          fmt::format("see 'ceph fs status {}'", place.file_system), rc);
  }
}

// "load" of "client.load". libcephfs knows no other type of user.
Result<std::string> mount_id(const ClusterOptions& options) {
  constexpr std::string_view type = "client.";
  const std::string& name = options.name;
  if (name.empty()) return "admin";
  if (name.starts_with(type)) return name.substr(type.size());
  if (name.find('.') == std::string::npos) return name;
  return fail(Error{.attempt = "mount a file system as",
                    .subject = name,
                    .reason = "only users with the type client can",
                    .hint = "give one with --id",
                    .exit = Exit::usage});
}

// Where Ceph would look for the config: libcephfs knows only clusters of the name ceph.
std::string config_paths(const ClusterOptions& options) {
  if (!options.conf.empty()) return options.conf;
  if (options.cluster.empty() || options.cluster == "ceph") return {};
  if (const char* const named = std::getenv("CEPH_CONF"); named != nullptr) return named;
  return fmt::format("/etc/ceph/{0}.conf,~/.ceph/{0}.conf,{0}.conf", options.cluster);
}

struct MountReleased {
  void operator()(ceph_mount_info* handle) const noexcept { ceph_release(handle); }
};
using MountHandle = std::unique_ptr<ceph_mount_info, MountReleased>;

Status configure_mount(ceph_mount_info* handle, const Connection& like,
                       const Connection::Settings& settings) {
  ceph_conf_set(handle, "log_to_stderr", "false");
  ceph_conf_set(handle, "err_to_stderr", "false");
  const std::string paths = config_paths(like.options());
  // The connection has read it already, or does without one.
  ceph_conf_read_file(handle, paths.empty() ? nullptr : paths.c_str());
  ceph_conf_parse_env(handle, nullptr);
  Connection::Settings all = settings;
  for (const char* const key :
       {"keyring", "mon_host", "client_mount_timeout", "rados_mon_op_timeout"}) {
    if (const std::string value = like.setting(key); !value.empty()) all[key] = value;
  }
  all["client_oc"] = "false";
  all["client_shutdown_timeout"] = seconds_to_leave;
  all.emplace("rados_osd_op_timeout", seconds_for_osd);
  for (const auto& [key, value] : all) {
    base::log_debug("libcephfs option {} = {}", key, value);
    if (const int rc = ceph_conf_set(handle, key.c_str(), value.c_str()); rc < 0) {
      return fail(Error{.attempt = "set the libcephfs option",
                        .subject = fmt::format("{}={}", key, value),
                        .errnum = -rc,
                        .exit = Exit::no_cluster});
    }
  }
  return {};
}

int carry_out_mount(ceph_mount_info* handle, const Mount::Place& place) {
  if (const int rc = ceph_init(handle); rc < 0) return rc;
  if (const int rc = ceph_select_filesystem(handle, place.file_system.c_str()); rc < 0) return rc;
  if (!place.identity.empty()) ceph_set_uuid(handle, place.identity.c_str());
  return ceph_mount(handle, place.root.c_str());
}

int end_other_client(ceph_mount_info* handle, const Mount::Place& other) {
  if (const int rc = ceph_init(handle); rc < 0) return rc;
  if (const int rc = ceph_select_filesystem(handle, other.file_system.c_str()); rc < 0) return rc;
  return ceph_start_reclaim(handle, other.identity.c_str(), CEPH_RECLAIM_RESET);
}

// What a call needs that may be abandoned.
struct MountAttempt {
  MountHandle handle;
  Mount::Place place;
};

Result<std::shared_ptr<MountAttempt>> make_attempt(const Connection& like,
                                                   const Mount::Place& place,
                                                   const Connection::Settings& settings) {
  RADOSLOAD_ASSIGN(const std::string id, mount_id(like.options()));
  ceph_mount_info* made = nullptr;
  if (const int rc = ceph_create(&made, id.c_str()); rc < 0) {
    return fail(mount_error(place, rc));
  }
  auto attempt = std::make_shared<MountAttempt>();
  attempt->handle.reset(made);
  attempt->place = place;
  RADOSLOAD_TRY(configure_mount(made, like, settings));
  return attempt;
}

}  // namespace

std::string mount_rights_hint(const std::string& file_system) {
  return fmt::format(
      "'radosload auth files --fs {}' prints the rights it needs; the user of this process also "
      "needs the permission to write to /radosload",
      file_system);
}

Result<std::shared_ptr<Mount>> Mount::open(const Connection& like, const Place& place,
                                           const Connection::Settings& settings) {
  RADOSLOAD_ASSIGN(const auto attempt, make_attempt(like, place, settings));
  const auto start = std::chrono::steady_clock::now();
  // Owned by the call, so that one that is abandoned keeps what it uses.
  const auto rc = value_within<int>(
      like.options().timeout + mount_margin,
      [attempt] { return carry_out_mount(attempt->handle.get(), attempt->place); },
      CallKind::question);
  if (!rc) return fail(mount_error(place, -ETIMEDOUT));
  if (*rc < 0) return fail(mount_error(place, *rc));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  std::shared_ptr<Mount> mounted(new Mount(attempt->handle.release()));
  base::log_info("mounted {} of the file system {} as client.{} in {:.1f} ms", place.root,
                 place.file_system, mounted->instance_id(), took.count());
  return mounted;
}

bool Mount::end_client(const Connection& like, const std::string& file_system,
                       const std::string& identity) {
  const Place other{.file_system = file_system, .identity = identity};
  const auto attempt = make_attempt(like, other, {});
  if (!attempt) return false;
  const auto rc = value_within<int>(
      like.options().timeout + mount_margin,
      [attempt = *attempt] { return end_other_client(attempt->handle.get(), attempt->place); },
      CallKind::question);
  base::log_info("ending the session of the client {} of the file system {}: {}", identity,
                 file_system, rc ? *rc : -ETIMEDOUT);
  return rc && *rc >= 0;
}

Mount::~Mount() {
  if (m_abort_hangs) return;  // libcephfs ends the process if one unmounts beside it
  call_within(
      unmount_limit,
      [handle = m_handle] {
        // Else the MDS confirms what the client has changed when it writes its journal anyway,
        // which it does every five seconds.
        ceph_sync_fs(handle);
        ceph_unmount(handle);
        ceph_release(handle);
      },
      CallKind::question);
}

std::uint64_t Mount::instance_id() const {
  return ceph_get_instance_id(m_handle);
}

std::string Mount::setting(const std::string& key) const {
  std::array<char, 256> value{};
  if (ceph_conf_get(m_handle, key.c_str(), value.data(), value.size()) < 0) return {};
  return value.data();
}

int Mount::make_directory(const std::string& path, unsigned mode) {
  return ceph_mkdir(m_handle, path.c_str(), mode);
}

int Mount::remove_directory(const std::string& path) {
  return ceph_rmdir(m_handle, path.c_str());
}

int Mount::make_file(const std::string& path, unsigned mode, std::uint64_t& inode) {
  const int file =
      ceph_open(m_handle, path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  if (file < 0) return file;
  struct ceph_statx found {};
  const int rc = ceph_fstatx(m_handle, file, &found, CEPH_STATX_INO, 0);
  inode = found.stx_ino;
  const int closed = ceph_close(m_handle, file);
  return rc < 0 ? rc : closed;
}

int Mount::remove_file(const std::string& path) {
  return ceph_unlink(m_handle, path.c_str());
}

int Mount::set_attribute(const std::string& path, const std::string& name,
                         const std::string& value) {
  return ceph_lsetxattr(m_handle, path.c_str(), name.c_str(), value.data(), value.size(), 0);
}

int Mount::attribute(const std::string& path, const std::string& name, std::string& value) {
  std::array<char, 256> bytes{};
  const int rc = ceph_lgetxattr(m_handle, path.c_str(), name.c_str(), bytes.data(), bytes.size());
  if (rc < 0) return rc;
  value.assign(bytes.data(), std::min(bytes.size(), static_cast<std::size_t>(rc)));
  return 0;
}

int Mount::is_directory(const std::string& path) {
  struct ceph_statx found {};
  const int rc = ceph_statx(m_handle, path.c_str(), &found, CEPH_STATX_MODE, AT_SYMLINK_NOFOLLOW);
  if (rc < 0) return rc;
  return S_ISDIR(found.stx_mode) ? 1 : 0;
}

int Mount::names_in(const std::string& path, std::vector<std::string>& names) {
  ceph_dir_result* directory = nullptr;
  if (const int rc = ceph_opendir(m_handle, path.c_str(), &directory); rc < 0) return rc;
  dirent entry{};
  int rc = 0;
  while ((rc = ceph_readdir_r(m_handle, directory, &entry)) > 0) {
    const std::string_view name = entry.d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  ceph_closedir(m_handle, directory);
  return rc;
}

void Mount::abort() noexcept {
  // It waits until the calls have ended.
  m_abort_hangs = !call_within(
      abort_limit, [handle = m_handle] { ceph_abort_conn(handle); }, CallKind::question);
}

}  // namespace radosload::cluster
