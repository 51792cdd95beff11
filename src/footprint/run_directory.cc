#include "footprint/run_directory.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/bounded_call.h"
#include "workload/file_names.h"

#include <fmt/format.h>

namespace radosload::footprint {

namespace {

using RemoverClock = std::chrono::steady_clock;

constexpr unsigned directory_mode = 0755;
constexpr unsigned file_mode = 0644;
constexpr unsigned most_threads = 16;  // files that are removed at once
constexpr auto look_again = std::chrono::milliseconds(200);
// After a request to stop, and after abort(), calls are awaited for this long at most.
constexpr Time stopped_limit = std::chrono::seconds(2);
constexpr Time abort_limit = std::chrono::seconds(5);

Error tree_error(std::string attempt, std::string subject, int rc, std::string hint = {}) {
  const bool rights = rc == -EACCES || rc == -EPERM || rc == -EROFS;
  if (rights && hint.empty()) {
    hint =
        "the user needs mds caps like: allow rw path=/radosload ('radosload auth files' prints all "
        "rights), and the permission to write to that directory";
  }
  if (rc == -EDQUOT) hint = "raise the quota of the directory, or use fewer or smaller files";
  return {.attempt = std::move(attempt),
          .subject = std::move(subject),
          .hint = std::move(hint),
          .errnum = -rc,
          .exit = Exit::no_cluster};
}

// Removes on threads of its own, and tells how far it has come. Lives until all of them have ended.
class TreeRemover {
 public:
  TreeRemover(std::shared_ptr<cluster::FileTree> tree, unsigned threads)
      : m_tree(std::move(tree)), m_threads(threads) {}

  void work() {
    std::vector<std::string> names;
    if (const int rc = m_tree->names_in("/", names); rc < 0) note(rc);
    for (const std::string& name : names) {
      if (m_stopped) break;
      if (workload::is_directory_name(name)) remove_directory("/" + name);
    }
    const std::lock_guard lock(m_mutex);
    m_done = true;
    m_changed.notify_all();
  }

  void stop() { m_stopped = true; }
  bool wait(Time limit) {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, limit, [this] { return m_done; });
  }
  RemovalCount count() {
    const std::lock_guard lock(m_mutex);
    return m_count;
  }

 private:
  void remove_directory(const std::string& path) {
    if (m_tree->is_directory(path) != 1) return;
    std::vector<std::string> names;
    if (const int rc = m_tree->names_in(path, names); rc < 0) return note(rc);
    std::erase_if(names, [](const std::string& name) { return !workload::is_file_name(name); });
    std::atomic<std::size_t> next = 0;
    const auto remove_next = [&] {
      for (std::size_t i = next++; i < names.size() && !m_stopped; i = next++) {
        note(m_tree->remove_file(path + "/" + names[i]));
      }
    };
    {
      std::vector<std::jthread> threads;
      while (threads.size() + 1 < m_threads) threads.emplace_back(remove_next);
      remove_next();
    }
    if (m_stopped) return;
    const int rc = m_tree->remove_directory(path);
    // What else is in it, the root cannot be removed either, and that is told.
    if (rc < 0 && rc != -ENOTEMPTY && rc != -ENOENT) note(rc);
  }

  void note(int rc) {
    const std::lock_guard lock(m_mutex);
    if (rc >= 0) {
      ++m_count.removed;
    } else if (rc == -ENOENT) {
      ++m_count.missing;
    } else {
      ++m_count.failed[rc];
    }
  }

  std::shared_ptr<cluster::FileTree> m_tree;
  unsigned m_threads;
  std::atomic<bool> m_stopped = false;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_done = false;
  RemovalCount m_count;
};

// Nothing came for the whole limit.
void give_up_tree(TreeRemover& remover, cluster::FileTree& tree) {
  remover.stop();
  tree.abort();
  if (!remover.wait(abort_limit)) cluster::count_abandoned();
}

Error files_left(const RemovalCount& count) {
  const auto& [rc, times] = *count.failed.begin();
  return tree_error(
      fmt::format("remove {} files or directories of the run; the first failure:", times), "", rc);
}

}  // namespace

std::string run_directory(const std::string& run) {
  return fmt::format("{}/{}", workload::runs_directory, run);
}

std::string client_identity(const std::string& run, std::uint64_t client) {
  return fmt::format("radosload.{}.{}", run, client);
}

Status make_run_directory(cluster::FileTree& runs, const std::string& run,
                          const std::string& pool) {
  const std::string path = "/" + run;
  const int made = runs.make_directory(path, directory_mode);
  if (made < 0) {
    Error error = tree_error("make the directory", run_directory(run), made,
                             made == -EEXIST ? "start the run again: it gets another id" : "");
    if (made == -EEXIST) error.exit = Exit::refused;
    return fail(std::move(error));
  }
  if (const int rc = runs.set_attribute(path, run_attribute, run); rc < 0) {
    return fail(tree_error("mark the directory", run_directory(run), rc));
  }
  if (pool.empty()) return {};
  if (const int rc = runs.set_attribute(path, "ceph.dir.layout.pool", pool); rc < 0) {
    return fail(
        tree_error(fmt::format("put the data of {} into the pool", run_directory(run)), pool, rc,
                   "another pool than the file system's first takes mds caps like: allow rwp "
                   "path=/radosload; or leave out --pool"));
  }
  return {};
}

Status make_file_directories(cluster::FileTree& own, std::uint64_t directories) {
  for (std::uint64_t i = 0; i < directories; ++i) {
    const auto path = workload::directory_path(i);
    if (const int rc = own.make_directory(path.data(), directory_mode); rc < 0) {
      return fail(tree_error("make the directory", path.data(), rc));
    }
  }
  return {};
}

Result<std::vector<std::uint64_t>> make_run_files(cluster::FileTree& own, std::uint64_t first,
                                                  std::uint64_t count, std::uint64_t entries) {
  std::vector<std::uint64_t> inodes(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto path = workload::file_path(first + i, entries);
    if (const int rc = own.make_file(path.data(), file_mode, inodes[i]); rc < 0) {
      return fail(tree_error("make the file", path.data(), rc));
    }
  }
  return inodes;
}

Status check_is_of_run(cluster::FileTree& own, const std::string& run) {
  std::string found;
  const int rc = own.attribute("/", run_attribute, found);
  if (rc >= 0 && found == run) return {};
  if (rc < 0 && rc != -ENODATA) {
    return fail(tree_error("read who has made the directory", run_directory(run), rc));
  }
  // A run that was killed before it could mark it had made nothing in it.
  std::vector<std::string> names;
  if (rc == -ENODATA && own.names_in("/", names) >= 0 && names.empty()) return {};
  return fail(Error{.attempt = "remove the directory",
                    .subject = run_directory(run),
                    .reason = "this run has not made it (the attribute user.radosload.run)",
                    .hint = "look at what it is, and remove it by hand",
                    .exit = Exit::refused});
}

Removal remove_run_files(const std::shared_ptr<cluster::FileTree>& own,
                         const RemovalOptions& options) {
  const auto remover =
      std::make_shared<TreeRemover>(own, std::clamp(options.depth, 1U, most_threads));
  std::thread([remover] { remover->work(); }).detach();
  Removal removal;
  Time limit = options.stall_limit;
  auto last_change = RemoverClock::now();
  while (!remover->wait(look_again)) {
    const RemovalCount now = remover->count();
    if (now.done() != removal.count.done()) last_change = RemoverClock::now();
    removal.count = now;
    if (options.progress && !options.progress(now)) {
      remover->stop();
      limit = std::min(limit, stopped_limit);
    }
    if (RemoverClock::now() - last_change <= limit) continue;
    give_up_tree(*remover, *own);
    removal.ended =
        fail(Error{.attempt = "remove the files of the run",
                   .reason = fmt::format("no MDS answered for {}", human_text(limit)),
                   .hint = "check with 'ceph fs status' that an MDS is active, then try again",
                   .errnum = ETIMEDOUT});
    return removal;
  }
  removal.count = remover->count();
  const bool stopped = options.progress && !options.progress(removal.count);
  if (stopped) {
    removal.ended = fail(Error{.attempt = "remove the files of the run",
                               .reason = "interrupted; the manifest stays, so the next cleanup "
                                         "continues here",
                               .errnum = EINTR});
  } else if (!removal.count.failed.empty()) {
    removal.ended = fail(files_left(removal.count));
  }
  return removal;
}

}  // namespace radosload::footprint
