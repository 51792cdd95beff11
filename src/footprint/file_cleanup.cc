#include "footprint/file_cleanup.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "radosload/printable.h"

#include "cluster/admin.h"
#include "cluster/bounded_call.h"
#include "footprint/owner.h"
#include "footprint/run_directory.h"
#include "observe/file_systems.h"
#include "workload/file_names.h"

#include <fmt/format.h>

namespace radosload::footprint {

namespace {

using cluster::CallKind;
using cluster::Mount;

constexpr unsigned runs_mode = 0755;

// Who may write notes in a pool has a say in the files whose data is there, and in no others.
Status check_data_pool(cluster::BoundedIo& io, const Manifest& manifest) {
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(io.connection().options()));
  RADOSLOAD_ASSIGN(const auto system, observe::find_file_system(*admin, manifest.file_system));
  const auto& pools = system.data_pools;
  if (std::find(pools.begin(), pools.end(), io.pool().get_id()) != pools.end()) return {};
  return fail(
      Error{.attempt = "remove the files of run",
            .subject = manifest.run,
            .reason = fmt::format("its manifest is in pool '{}' and names the file system "
                                  "'{}', which has no data there",
                                  printable(manifest.pool), printable(manifest.file_system)),
            .exit = Exit::refused});
}

// A call to the tree that may hang; nothing when it exceeded the limit.
std::optional<int> tree_call(Time limit, const std::shared_ptr<Mount>& tree,
                             std::function<int(Mount&)> call) {
  return cluster::value_within<int>(
      limit, [tree, call = std::move(call)] { return call(*tree); }, CallKind::question);
}

Error no_mds_answer(const std::string& attempt, const std::string& subject) {
  return {.attempt = attempt,
          .subject = subject,
          .reason = "no MDS answered in time",
          .hint = "check with 'ceph fs status' that an MDS is active, then try again",
          .errnum = ETIMEDOUT,
          .exit = Exit::no_cluster};
}

FilesRemoved no_directory(const Manifest& manifest) {
  FilesRemoved removed;
  removed.text = fmt::format("{} of the file system {} not found", run_directory(manifest.run),
                             printable(manifest.file_system));
  return removed;
}

Status remove_run_root(Time limit, const std::shared_ptr<Mount>& runs, const std::string& run) {
  const auto rc =
      tree_call(limit, runs, [run](Mount& tree) { return tree.remove_directory("/" + run); });
  if (!rc) return fail(no_mds_answer("remove the directory", run_directory(run)));
  if (*rc >= 0 || *rc == -ENOENT) return {};
  return fail(Error{.attempt = "remove the directory",
                    .subject = run_directory(run),
                    .reason = *rc == -ENOTEMPTY
                                  ? "it holds files or snapshots that the run has not "
                                    "made"
                                  : "",
                    .hint = *rc == -ENOTEMPTY ? "look at them, and remove it by hand" : "",
                    .errnum = -*rc});
}

// Of a process that was killed. Those of this one have left.
void end_clients(const cluster::Connection& like, const Manifest& manifest,
                 const RemovalOptions& options) {
  if (state_of(manifest.owner) == OwnerState::runs) return;
  for (std::uint64_t i = 0; i < manifest.clients; ++i) {
    if (options.progress && !options.progress({})) return;
    Mount::end_client(like, manifest.file_system, client_identity(manifest.run, i));
  }
}

FilesRemoved files_stay(Error error) {
  FilesRemoved removed;
  removed.ended = fail(std::move(error));
  return removed;
}

}  // namespace

FilesRemoved remove_files(cluster::BoundedIo& io, const Manifest& manifest,
                          const RemovalOptions& options) {
  const std::string& system = manifest.file_system;
  if (auto fits = check_data_pool(io, manifest); !fits) return files_stay(fits.error());
  auto runs = Mount::open(io.connection(), {system, std::string(workload::runs_directory)});
  if (!runs) {
    return runs.error().errnum == ENOENT ? no_directory(manifest) : files_stay(runs.error());
  }
  const auto found = tree_call(io.limit(), *runs, [path = "/" + manifest.run](Mount& tree) {
    return tree.is_directory(path);
  });
  if (!found) return files_stay(no_mds_answer("look at", run_directory(manifest.run)));
  if (*found == -ENOENT) return no_directory(manifest);
  if (*found != 1) {
    return files_stay({.attempt = "remove the directory",
                       .subject = run_directory(manifest.run),
                       .reason = *found == 0 ? "it is not a directory" : "",
                       .hint = "look at what it is, and remove it by hand",
                       .errnum = *found < 0 ? -*found : 0,
                       .exit = Exit::refused});
  }
  end_clients(io.connection(), manifest, options);
  auto own = Mount::open(io.connection(), {system, run_directory(manifest.run)});
  if (!own) return files_stay(own.error());
  const auto checked = cluster::value_within<Status>(
      io.limit(), [tree = *own, run = manifest.run] { return check_is_of_run(*tree, run); },
      CallKind::question);
  if (!checked) return files_stay(no_mds_answer("look at", run_directory(manifest.run)));
  if (!*checked) return files_stay(checked->error());
  Removal removal = remove_run_files(*own, options);
  FilesRemoved removed{.count = std::move(removal.count), .ended = std::move(removal.ended)};
  if (!removed.ended) return removed;
  own->reset();  // no client keeps it open any more
  removed.ended = remove_run_root(io.limit(), *runs, manifest.run);
  removed.text = fmt::format("{} files removed with {} of the file system {}",
                             removed.count.removed, run_directory(manifest.run), printable(system));
  return removed;
}

Result<std::shared_ptr<Mount>> open_runs_directory(const cluster::Connection& like,
                                                   const std::string& file_system) {
  const Mount::Place runs{file_system, std::string(workload::runs_directory)};
  auto mounted = Mount::open(like, runs);
  if (mounted || mounted.error().errnum != ENOENT) return mounted;
  RADOSLOAD_ASSIGN(const auto root, Mount::open(like, {file_system, "/"}));
  const auto made = tree_call(like.options().timeout, root, [](Mount& tree) {
    return tree.make_directory(std::string(workload::runs_directory), runs_mode);
  });
  if (!made) return fail(no_mds_answer("make the directory", runs.root));
  if (*made < 0 && *made != -EEXIST) {
    return fail(Error{.attempt = "make the directory",
                      .subject = fmt::format("{} in the file system {}", runs.root, file_system),
                      .hint = "have an administrator make it, open to this user; " +
                              cluster::mount_rights_hint(file_system),
                      .errnum = -*made,
                      .exit = Exit::no_cluster});
  }
  return Mount::open(like, runs);
}

}  // namespace radosload::footprint
