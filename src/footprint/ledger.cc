#include "footprint/ledger.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <list>
#include <utility>

#include "base/log.h"
#include "footprint/io_error.h"
#include "footprint/lease_holder.h"

namespace radosload::footprint {

namespace {

constexpr std::string_view attribute_prefix = "run.";

std::string attribute(const std::string& run) {
  return std::string(attribute_prefix) + run;
}

}  // namespace

// librados calls these on its own threads, also while the watch is being let go of.
class RunLease::Watch final : public librados::WatchCtx2 {
 public:
  void handle_notify(std::uint64_t, std::uint64_t, std::uint64_t, librados::bufferlist&) override {}
  void handle_error(std::uint64_t, int) override { m_lost = true; }
  bool lost() const { return m_lost; }

  // Without an answer librados may still use it, at any time until the process ends.
  static void leave_to_librados(std::unique_ptr<Watch> watch) {
    static std::mutex mutex;
    static auto& left = *new std::vector<std::unique_ptr<Watch>>;
    const std::lock_guard lock(mutex);
    left.push_back(std::move(watch));
  }

 private:
  std::atomic<bool> m_lost{false};
};

RunLease::RunLease(cluster::BoundedIo io, std::string object)
    : m_io(std::move(io)), m_object(std::move(object)) {}

RunLease::~RunLease() {
  m_keeper = {};  // stopped and joined
  release();
}

Result<std::unique_ptr<RunLease>> RunLease::acquire(cluster::BoundedIo io, const std::string& run) {
  std::unique_ptr<RunLease> hold(new RunLease(std::move(io), manifest_object(run)));
  RADOSLOAD_TRY(hold->watch());
  base::log_info("took the lease on run {} in pool {}", run, hold->m_io.pool().get_pool_name());
  hold->m_keeper =
      std::jthread([hold = hold.get()](const std::stop_token& end) { hold->renew_until(end); });
  return hold;
}

Status RunLease::watch() {
  m_watch = std::make_unique<Watch>();
  const int rc = m_io.watch(m_object, m_watch.get(), &m_handle);
  if (rc >= 0) return {};
  if (rc == -ETIMEDOUT) Watch::leave_to_librados(std::move(m_watch));
  m_watch.reset();
  Error error = io_error("watch the manifest", m_object, rc, m_io.limit());
  if (rc == -ENOENT) error.reason = "a cleanup has removed the manifest";
  return fail(std::move(error));
}

void RunLease::renew_until(const std::stop_token& end) {
  // Well within the 30 s after which an OSD gives up on a watch.
  constexpr auto between = std::chrono::seconds(10);
  std::unique_lock lock(m_mutex);
  while (!m_end.wait_for(lock, end, between, [&] { return end.stop_requested(); })) {
    lock.unlock();
    // In vain now may work the next time; a manifest that is gone shows in the operations.
    (void)renew();
    lock.lock();
  }
}

Status RunLease::renew() {
  const std::lock_guard lock(m_mutex);
  if (m_watch && !m_watch->lost()) return {};
  release();
  return watch();
}

void RunLease::release() {
  if (!m_watch) return;
  const int rc = m_io.unwatch(m_handle);
  if (rc == -ETIMEDOUT) Watch::leave_to_librados(std::move(m_watch));
  m_watch.reset();
}

Error Ledger::error(std::string attempt, const std::string& object, int rc) const {
  return io_error(std::move(attempt), object, rc, m_io.limit());
}

Status Ledger::add_to_index(const std::string& run) {
  librados::ObjectWriteOperation write;
  librados::bufferlist value;
  value.append("1");
  write.setxattr(attribute(run).c_str(), value);
  const int rc = m_io.operate(std::string(index_object), write);
  if (rc < 0) return fail(error("add the run to", std::string(index_object), rc));
  return {};
}

Place Ledger::place(const std::string& run) {
  return {.run = run,
          .pool = m_pool.empty() ? m_io.pool().get_pool_name() : m_pool,
          .nspace = m_io.pool().get_namespace()};
}

Result<std::vector<std::string>> Ledger::runs() {
  return runs_as_of(nullptr);
}

Result<std::vector<std::string>> Ledger::runs_as_of(std::uint64_t* version) {
  cluster::BoundedIo::Attributes attributes;
  const int rc = m_io.attributes(std::string(index_object), attributes, version);
  if (rc == -ENOENT) return std::vector<std::string>{};
  if (rc < 0) return fail(error("read", std::string(index_object), rc));
  std::vector<std::string> found;
  for (const auto& [name, value] : attributes) {
    if (!name.starts_with(attribute_prefix)) continue;
    std::string run = name.substr(attribute_prefix.size());
    if (is_run_id(run)) found.push_back(std::move(run));
  }
  return found;
}

Result<std::unique_ptr<RunLease>> Ledger::create(const Manifest& manifest) {
  std::string unusable = misplaced(manifest, place(manifest.run));
  if (unusable.empty()) unusable = beyond_limits(manifest);
  if (!unusable.empty()) {
    return fail({.attempt = "write a manifest that cleanup could read",
                 .subject = manifest_object(manifest.run),
                 .reason = std::move(unusable),
                 .exit = Exit::refused});
  }
  RADOSLOAD_TRY(add_to_index(manifest.run));
  const std::string object = manifest_object(manifest.run);
  librados::ObjectWriteOperation write;
  librados::bufferlist content;
  content.append(encode(manifest));
  write.create(true);
  write.write_full(content);
  if (const int rc = m_io.operate(object, write); rc < 0) {
    Error failed = error("write the manifest", object, rc);
    if (rc == -EEXIST) {
      failed.reason = "another run has this id, or a cleanup of it has not ended";
    } else if (rc != -ETIMEDOUT) {
      (void)remove_from_index(
          manifest.run);  // as well as it goes: the failure to tell is the one above
    }
    return fail(std::move(failed));
  }
  auto hold = RunLease::acquire(m_io, manifest.run);
  if (!hold) {
    (void)remove(manifest.run);
    return hold;
  }
  if (auto kept = check_not_removed(manifest.run); !kept) {
    (void)remove(manifest.run);  // nothing but the manifest is there yet
    return fail(std::move(kept).error());
  }
  // A cleanup that found the entry before the manifest was there may have struck it out.
  RADOSLOAD_ASSIGN(const auto known, runs());
  if (std::find(known.begin(), known.end(), manifest.run) == known.end()) {
    RADOSLOAD_TRY(add_to_index(manifest.run));
  }
  base::log_info("wrote the manifest of run {} in pool {}: {} objects, {}", manifest.run,
                 manifest.pool, manifest.objects, manifest.pattern);
  return hold;
}

Status Ledger::check_not_removed(const std::string& run) {
  RADOSLOAD_ASSIGN(const auto entry, look_up(run));
  const bool deleting = entry.manifest && entry.manifest->state == State::deleting;
  if (!entry.missing && !deleting) return {};
  return fail({.attempt = "start the run",
               .subject = run,
               .reason = "a cleanup removed its manifest before the run had taken its lease",
               .hint = "start the run again",
               .exit = Exit::refused});
}

Status Ledger::update(const Manifest& manifest, std::uint64_t* version) {
  const std::string object = manifest_object(manifest.run);
  librados::ObjectWriteOperation write;
  librados::bufferlist content;
  content.append(encode(manifest));
  const bool only_as_read = version != nullptr && *version != 0;
  if (only_as_read) write.assert_version(*version);
  write.assert_exists();
  write.write_full(content);
  int rc = m_io.operate(object, write, version);
  if (rc >= 0) return {};
  if (rc == -EOVERFLOW && only_as_read) rc = -ERANGE;  // older than what was read: made anew
  Error failed = error("rewrite the manifest", object, rc);
  if (rc == -ERANGE) failed.reason = "another process changed it at the same time";
  if (rc == -ENOENT) failed.reason = "a cleanup has removed the manifest";
  return fail(std::move(failed));
}

Result<Entry> Ledger::look_up(const std::string& run) {
  Entry entry{.run = run};
  const std::string object = manifest_object(run);
  cluster::BoundedIo::Content content;
  int rc = m_io.read(object, manifest_limit, content);
  if (rc == -ENOENT) {
    entry.missing = true;
    entry.problem =
        "it has no manifest: the run was killed at its start, or its cleanup was killed";
    return entry;
  }
  if (rc < 0) return fail(error("read", object, rc));
  if (content.bytes.empty()) {
    // Manifests are written in one piece: this is the placeholder of a cleanup (see below).
    entry.missing = true;
    entry.problem = "a cleanup is removing it, or was killed while it did";
    return entry;
  }
  entry.version = content.version;
  if (auto decoded = decode_at(content.bytes, place(run)); decoded) {
    entry.manifest = *std::move(decoded);
  } else {
    entry.problem = decoded.error().message();
  }
  std::list<obj_watch_t> watchers;
  rc = m_io.watchers(object, watchers);
  if (rc < 0 && rc != -ENOENT) return fail(error("list the watchers of", object, rc));
  for (const obj_watch_t& watcher : watchers) {
    entry.clients.push_back(static_cast<std::uint64_t>(watcher.watcher_id));
  }
  entry.holder = lease_holder(watchers, entry.manifest.value_or(Manifest{}));
  return entry;
}

Result<std::vector<Entry>> Ledger::list() {
  RADOSLOAD_ASSIGN(const auto known, runs());
  std::vector<Entry> entries;
  for (const std::string& run : known) {
    RADOSLOAD_ASSIGN(auto entry, look_up(run));
    entries.push_back(std::move(entry));
  }
  return entries;
}

Status Ledger::remove_from_index(const std::string& run) {
  librados::ObjectWriteOperation write;
  write.assert_exists();
  write.rmxattr(attribute(run).c_str());
  int rc = m_io.operate(std::string(index_object), write);
  if (rc < 0 && rc != -ENOENT && rc != -ENODATA) {
    return fail(error("remove the run from", std::string(index_object), rc));
  }
  std::uint64_t version = 0;
  RADOSLOAD_ASSIGN(const auto left, runs_as_of(&version));
  if (!left.empty() || version == 0) return {};
  // Only as it was read: a run entered in between has given it another version.
  librados::ObjectWriteOperation removal;
  removal.assert_version(version);
  removal.remove();
  rc = m_io.operate(std::string(index_object), removal);
  if (rc < 0 && rc != -ENOENT && rc != -ERANGE && rc != -EOVERFLOW) {
    return fail(error("remove", std::string(index_object), rc));
  }
  return {};
}

Status Ledger::remove(const std::string& run) {
  const std::string object = manifest_object(run);
  librados::ObjectWriteOperation removal;
  removal.remove();
  const int rc = m_io.operate(object, removal);
  if (rc < 0 && rc != -ENOENT) return fail(error("remove", object, rc));
  base::log_info("removed the manifest of run {} in pool {}", run, m_io.pool().get_pool_name());
  return remove_from_index(run);
}

Status Ledger::remove_entry_without_manifest(const std::string& run) {
  // Its place is taken by an empty manifest for a moment: a run that is about to write its own
  // fails then, and has no objects yet.
  const std::string object = manifest_object(run);
  librados::ObjectWriteOperation take;
  take.create(true);
  const int rc = m_io.operate(object, take);
  if (rc == -EEXIST) {
    RADOSLOAD_ASSIGN(const auto now, look_up(run));
    if (!now.missing) return {};  // it has one now, and is found by the next cleanup
  } else if (rc == -EDQUOT || rc == -ENOSPC) {
    return remove_from_index(run);  // a full pool, in which no run can begin either
  } else if (rc < 0) {
    return fail(error("create a placeholder for", object, rc));
  }
  if (auto struck = remove_from_index(run); !struck) return struck;
  librados::ObjectWriteOperation removal;
  removal.remove();
  const int removed = m_io.operate(object, removal);
  if (removed < 0 && removed != -ENOENT) return fail(error("remove", object, removed));
  return {};
}

}  // namespace radosload::footprint
