#include "prepare/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

#include "cluster/admin.h"
#include "cluster/bounded_call.h"
#include "footprint/file_cleanup.h"
#include "footprint/run_directory.h"
#include "observe/cluster_status.h"
#include "plan/limits.h"
#include "target/client_settings.h"
#include "workload/file_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::prepare {

namespace {

// The settings of libcephfs that decide what a figure means.
constexpr std::array<const char*, 4> recorded_settings = {"client_oc", "client_cache_size",
                                                          "client_permissions", "client_mount_uid"};
// What making a directory may take at most; an MDS makes some hundred a second.
constexpr Time each_directory = std::chrono::milliseconds(100);
constexpr const char* socket_setting = "admin_socket";

Error unusable_for_files(const RunPlan& plan, std::string reason, std::string hint) {
  return {.attempt = "use the file system",
          .subject = plan.files.system,
          .reason = std::move(reason),
          .hint = std::move(hint),
          .exit = Exit::usage};
}

std::string name_of_pool(const placement::OsdMap& map, std::int64_t id) {
  const placement::Pool* const pool = map.pool(id);
  return pool != nullptr ? pool->name : fmt::format("{}", id);
}

cluster::Connection::Settings mount_settings(const RunPlan& plan) {
  return target::client_settings(
      {.depth = plan.pattern.queue_depth,
       .largest = std::max(plan.pattern.block_size, plan.pattern.object_size),
       .block = plan.pattern.block_size});
}

std::uint64_t entries_of(const RunPlan& plan) {
  return plan.pattern.is_of_files() ? plan.pattern.entries : workload::files_in_directory;
}

// A number that the file system keeps as an attribute; 0: there is none.
std::uint64_t number_of(cluster::FileTree& tree, const std::string& attribute) {
  std::string text;
  std::uint64_t number = 0;
  if (tree.attribute("/", attribute, text) < 0) return 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Error beyond_quota(const std::string& what, const std::string& quota, const std::string& used,
                   const std::string& needed) {
  return {.attempt = fmt::format("make {} in the directory", needed),
          .subject = std::string(workload::runs_directory),
          .reason = fmt::format("its quota is {} {}, of which {} are used", quota, what, used),
          .hint =
              "raise the quota (ceph.quota.max_bytes, ceph.quota.max_files), or use fewer or "
              "smaller files: objects=N, --size",
          .errnum = EDQUOT,
          .exit = Exit::refused};
}

// Clients do not enforce a quota that is set above the directory that they mount.
Status check_quota(cluster::FileTree& runs, std::uint64_t files, Bytes bytes) {
  const std::uint64_t most_files = number_of(runs, "ceph.quota.max_files");
  const std::uint64_t there = number_of(runs, "ceph.dir.rentries");
  if (most_files > 0 && there + files > most_files) {
    return fail(beyond_quota("files and directories", fmt::format("{}", most_files),
                             fmt::format("{}", there), fmt::format("{} of them", files)));
  }
  const Bytes most{number_of(runs, "ceph.quota.max_bytes")};
  const Bytes used{number_of(runs, "ceph.dir.rbytes")};
  if (most.count > 0 && used.count + bytes.count > most.count) {
    return fail(beyond_quota("in size", human_text(most), human_text(used),
                             fmt::format("files of {}", human_text(bytes))));
  }
  return {};
}

}  // namespace

Result<RunPlan> with_data_pool(const RunPlan& plan) {
  if (plan.target != TargetKind::cephfs) return plan;
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(plan.cluster));
  RADOSLOAD_ASSIGN(const auto system, observe::find_file_system(*admin, plan.files.system));
  std::vector<std::string> names;
  for (const std::int64_t id : system.data_pools) {
    std::string name;
    if (admin->connection().rados().pool_reverse_lookup(id, &name) >= 0) {
      names.push_back(std::move(name));
    }
  }
  if (names.empty()) return fail(unusable_for_files(plan, "its data pools have no names", ""));
  RunPlan found = plan;
  if (plan.pool.empty()) {
    found.pool = names.front();
  } else if (std::find(names.begin(), names.end(), plan.pool) == names.end()) {
    return fail(unusable_for_files(plan, fmt::format("its data is not in pool {}", plan.pool),
                                   fmt::format("its data pools are: {}", fmt::join(names, ", "))));
  }
  return found;
}

Result<Files> Files::inspect(const RunPlan& plan, const ClusterSession& session,
                             const std::string& run_id, const workload::Layout& layout) {
  const std::uint32_t depth = plan.pattern.queue_depth;
  if (depth > target::most_file_threads) {
    return fail(unusable_for_files(
        plan,
        fmt::format("each operation in flight needs a thread, and the limit is {}",
                    target::most_file_threads),
        fmt::format("give --qd {} or less", target::most_file_threads)));
  }
  if (plan.pattern.is_data() && layout.objects > target::most_open_files) {
    return fail(unusable_for_files(
        plan,
        fmt::format("the run would keep {} files open; the limit is {}", layout.objects,
                    target::most_open_files),
        "give a larger --object-size, which is that of each file, or a smaller --size"));
  }
  Files files;
  files.m_run = run_id;
  files.m_system = plan.files.system;
  files.m_options = {
      .files = layout.objects, .entries = entries_of(plan), .data = plan.pattern.is_data()};
  files.m_directories = (layout.objects - 1) / entries_of(plan) + 1;
  const auto& system = session.file_system;
  files.m_first_pool = system && system->data_pools.front() == session.space.pool.id;
  return files;
}

Status Files::make(const RunPlan& plan, ClusterSession& session, base::Interrupts& interrupts) {
  RADOSLOAD_TRY(make_directories(plan, session));
  for (const auto& mount : m_mounts) m_instances.push_back(mount->instance_id());
  // Other clients will read what is to be read cold.
  if (!plan.pattern.reads_cold()) tell_clients(session);
  for (const char* const key : recorded_settings) {
    if (auto value = m_mounts.front()->setting(key); !value.empty()) m_settings[key] = value;
  }
  if (!m_options.data) return {};
  const FileShape shape{
      .files = m_options.files, .entries = m_options.entries, .size = plan.pattern.object_size};
  RADOSLOAD_ASSIGN(m_objects,
                   make_file_objects(m_mounts.front(), shape, plan.cluster.timeout, interrupts));
  return {};
}

void Files::tell_clients(ClusterSession& session) const {
  session.instances = m_instances;
  session.client_sockets.clear();
  for (const auto& mount : m_mounts) {
    if (session.sockets) session.client_sockets.push_back(mount->setting(socket_setting));
  }
}

Status Files::make_directories(const RunPlan& plan, const ClusterSession& session) {
  const cluster::Connection& like = *session.lanes.front().connection;
  RADOSLOAD_ASSIGN(const auto runs, footprint::open_runs_directory(like, m_system));
  const auto bounded = [&](Time limit, std::function<Status()> call) -> Status {
    const auto done = cluster::value_within<Status>(limit, std::move(call));
    if (done) return *done;
    return fail(Error{.attempt = "make the directories of the run",
                      .subject = footprint::run_directory(m_run),
                      .reason = "no MDS answered in time",
                      .hint = fmt::format("check with 'ceph fs status {}' that one is active and "
                                          "answers",
                                          m_system),
                      .errnum = ETIMEDOUT,
                      .exit = Exit::no_cluster});
  };
  const Time patience = plan.cluster.timeout;
  const std::uint64_t entries = m_options.files + m_directories + 1;
  const Bytes bytes{plan.pattern.is_data() ? m_options.files * plan.pattern.object_size.count : 0};
  RADOSLOAD_TRY(bounded(patience,
                        [runs, run = m_run, entries, bytes,
                         pool = m_first_pool ? std::string() : plan.pool]() -> Status {
                          RADOSLOAD_TRY(check_quota(*runs, entries, bytes));
                          return footprint::make_run_directory(*runs, run, pool);
                        }));
  RADOSLOAD_ASSIGN(m_mounts, mount_clients(plan, session, 0));
  const auto all = static_cast<Time::rep>(m_directories);
  return bounded(patience + all * each_directory,
                 [own = m_mounts.front(), run = m_run, count = m_directories]() -> Status {
                   // Not another one that has come into its place.
                   RADOSLOAD_TRY(footprint::check_is_of_run(*own, run));
                   return footprint::make_file_directories(*own, count);
                 });
}

Result<target::FileTarget::Mounts> Files::mount_clients(const RunPlan& plan,
                                                        const ClusterSession& session,
                                                        std::uint64_t first) const {
  target::FileTarget::Mounts mounts;
  for (std::uint32_t client = 0; client < plan.clients; ++client) {
    const cluster::Mount::Place place{
        .file_system = m_system,
        .root = footprint::run_directory(m_run),
        .identity = footprint::client_identity(m_run, first + client)};
    auto settings = mount_settings(plan);
    // The handle of the session has the first one.
    if (session.sockets) settings[socket_setting] = session.sockets->socket(1 + first + client);
    RADOSLOAD_ASSIGN(auto mount,
                     cluster::Mount::open(*session.lanes.front().connection, place, settings));
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

std::unique_ptr<target::FileTarget> Files::target() {
  return std::make_unique<target::FileTarget>(std::move(m_mounts), m_options);
}

std::function<Status()> Files::fresh_clients(const RunPlan& plan, const ClusterSession& session,
                                             target::FileTarget& target) const {
  return [files = *this, plan, &session, &target]() -> Status {
    RADOSLOAD_ASSIGN(auto mounts, files.mount_clients(plan, session, plan.clients));
    target.use(std::move(mounts));
    return {};
  };
}

ObjectNaming Files::names(const RunPlan& plan, const ClusterSession& session) const {
  if (placed()) return names_of_file_objects(plan, session, m_objects);
  ObjectNaming names;
  names.pool = session.space.pool.id;
  names.name_of = [list = plan.pattern.metadata == OpKind::list,
                   entries = m_options.entries](std::uint64_t number) {
    const auto path =
        list ? workload::directory_path(number) : workload::file_path(number, entries);
    return std::string(path.data() + 1);
  };
  return names;
}

record::FileSystemFacts Files::facts(const ClusterSession& session) const {
  record::FileSystemFacts facts;
  facts.name = m_system;
  facts.directory = footprint::run_directory(m_run);
  facts.files = m_options.files;
  facts.directories = m_directories;
  facts.settings = m_settings;
  if (!session.file_system) return facts;
  const observe::FileSystem& system = *session.file_system;
  facts.id = system.id;
  facts.metadata_pool = name_of_pool(session.status.osdmap, system.metadata_pool);
  facts.mds = system.active;
  facts.ranks = system.ranks;
  return facts;
}

std::vector<std::uint64_t> Files::instances() const {
  return m_instances;
}

}  // namespace radosload::prepare
