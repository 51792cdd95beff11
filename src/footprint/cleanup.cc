#include "footprint/cleanup.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include "footprint/image_cleanup.h"
#include "workload/layout.h"

#include <fmt/format.h>

namespace radosload::footprint {

namespace {

// Names of the objects 0 .. bound-1 of a run, in order.
Names names_of(std::string run, std::uint64_t bound) {
  std::string buffer(workload::object_name_size(run), ' ');
  return [run = std::move(run), bound, buffer = std::move(buffer),
          next = std::uint64_t{0}]() mutable -> std::optional<std::string> {
    if (next >= bound) return {};
    workload::object_name(buffer, run, next++);
    return buffer;
  };
}

Names names_of(std::string run, const std::vector<std::uint64_t>& indices) {
  std::string buffer(workload::object_name_size(run), ' ');
  return [run = std::move(run), &indices, buffer = std::move(buffer),
          next = std::size_t{0}]() mutable -> std::optional<std::string> {
    if (next >= indices.size()) return {};
    workload::object_name(buffer, run, indices[next++]);
    return buffer;
  };
}

class Cleaner {
 public:
  // `own`: a run removes what is its own, which it holds itself.
  Cleaner(cluster::BoundedIo io, const CleanupOptions& options, bool own)
      : m_io(std::move(io)), m_ledger(m_io), m_options(options), m_own(own) {}

  Result<CleanupReport> run() {
    auto entries = entries_wanted();
    if (!entries) return fail(entries.error());
    for (const Entry& entry : *entries) {
      if (interrupted()) break;
      clean(entry);
    }
    if (m_options.scan && !interrupted()) {
      if (auto scanned = scan(); !scanned) return fail(scanned.error());
    }
    m_report.interrupted = interrupted();
    return std::move(m_report);
  }

  void clean_own(const Manifest& manifest) { remove_by_manifest(manifest, begin(manifest.run)); }
  RunCleanup only() { return m_report.runs.front(); }

 private:
  bool interrupted() const { return m_options.interrupted && m_options.interrupted(); }

  RunCleanup& begin(const std::string& run) {
    m_seen.insert(run);
    return m_report.runs.emplace_back(RunCleanup{.run = run});
  }

  void say(const std::string& what, std::uint64_t done, std::uint64_t of) const {
    if (m_options.progress) m_options.progress({.what = what, .done = done, .of = of});
  }

  Result<std::vector<Entry>> entries_wanted() {
    say("the index of runs", 0, 0);
    auto entries = m_ledger.list();
    if (!entries || m_options.run.empty()) return entries;
    std::erase_if(*entries, [this](const Entry& entry) { return entry.run != m_options.run; });
    if (!entries->empty()) return entries;
    // A run that was struck out and not removed: its manifest may still be there.
    auto entry = m_ledger.look_up(m_options.run);
    if (!entry) return fail(entry.error());
    if (!entry->missing) entries->push_back(*std::move(entry));
    return entries;
  }

  void clean(const Entry& entry) {
    RunCleanup& result = begin(entry.run);
    if (entry.held && !m_options.force) {
      result.fate = Fate::held;
      result.detail = entry.holder;
      if (entry.manifest) result.objects = entry.manifest->objects;
    } else if (entry.manifest) {
      remove_by_manifest(*entry.manifest, result);
    } else if (entry.missing) {
      remove_empty(result);
    } else {
      result.fate = Fate::unreadable;
      result.detail = entry.problem;
      // A scan with --force finds its objects by their names, and takes the manifest too.
      if (m_options.scan && m_options.force) m_seen.erase(entry.run);
    }
  }

  void remove_empty(RunCleanup& result) {
    result.detail = "it had no objects yet";
    if (m_options.dry_run) {
      result.fate = Fate::would;
      return;
    }
    settle(result, m_ledger.remove_entry_without_manifest(result.run));
  }

  void remove_by_manifest(const Manifest& manifest, RunCleanup& result) {
    result.objects = manifest.objects;
    result.images = manifest.images;
    if (m_options.dry_run) {
      result.fate = Fate::would;
      return;
    }
    if (!mark(manifest, result)) return;
    if (manifest.content == Content::image) return remove_made(manifest, result);
    remove_named(manifest.picked.empty() ? names_of(manifest.run, manifest.objects)
                                         : names_of(manifest.run, manifest.picked),
                 result);
  }

  // From here on nobody reuses it. Whoever took hold of it before that is seen now.
  bool mark(Manifest manifest, RunCleanup& result) {
    if (manifest.state == State::deleting) return true;
    const State before = std::exchange(manifest.state, State::deleting);
    if (auto marked = m_ledger.update(manifest); !marked) {
      // Gone: another cleanup was faster, and is at the same objects. Full: better unmarked than
      // not removed.
      const int errnum = marked.error().errnum;
      if (errnum == ENOENT || errnum == EDQUOT || errnum == ENOSPC) return true;
      settle(result, std::move(marked));
      return false;
    }
    if (m_options.force || m_own) return true;
    const auto now = m_ledger.look_up(manifest.run);
    if (!now || !now->held) return true;
    manifest.state = before;
    result.fate = Fate::held;
    result.detail = now->holder;
    if (auto restored = m_ledger.update(manifest); !restored) settle(result, std::move(restored));
    return false;
  }

  void remove_made(const Manifest& manifest, RunCleanup& result) {
    const auto all = static_cast<double>(manifest.objects);
    const ImagesRemoved removed =
        remove_images(m_io, manifest, m_options.stall_limit, [&](double share) {
          say(result.run, static_cast<std::uint64_t>(share * all), manifest.objects);
          return !interrupted();
        });
    if (!removed.ended) return settle(result, removed.ended);
    settle(result, m_ledger.remove(result.run));
    if (result.fate == Fate::removed) result.detail = removed.text();
  }

  void remove_named(const Names& names, RunCleanup& result) {
    RemovalOptions removal{.stall_limit = m_options.stall_limit};
    removal.progress = [&](const RemovalCount& count) {
      say(result.run, count.done(), result.objects);
      return !interrupted();
    };
    Removal removed = remove_objects(m_io, names, removal);
    result.count = removed.count;
    if (!removed.ended) return settle(result, std::move(removed.ended));
    if (result.count.failures() > 0) {
      const auto& [rc, times] = *result.count.failed.begin();
      result.fate = Fate::failed;
      result.detail = fmt::format("{} deletions failed: {}", times, errno_text(rc));
      return;
    }
    if (interrupted()) {
      result.fate = Fate::failed;
      result.detail = "interrupted; the manifest stays, and the next cleanup goes on";
      return;
    }
    settle(result, m_ledger.remove(result.run));
  }

  void settle(RunCleanup& result, Status status) {
    result.fate = status ? Fate::removed : Fate::failed;
    if (!status) result.detail = status.error().message();
  }

  Status scan() {
    std::map<std::string, std::vector<std::uint64_t>> found;
    cluster::BoundedIo::Cursor cursor;
    for (bool end = false; !end && !interrupted();) {
      std::vector<std::string> names;
      if (const int rc = m_io.list(cursor, names, end); rc < 0) {
        return fail({.attempt = "list the namespace",
                     .reason = rc == -ETIMEDOUT
                                   ? fmt::format("no answer within {}", human_text(m_io.limit()))
                                   : "",
                     .hint = "is every PG of the pool active? See 'radosload status'",
                     .errnum = -rc});
      }
      for (const std::string& name : names) sort_out(name, found);
      m_report.scanned += names.size();
      say("names", m_report.scanned, 0);
    }
    for (const auto& [run, indices] : found) {
      if (!interrupted()) clean_found(run, indices);
    }
    return {};
  }

  // Whose object it is. Those of runs that have been dealt with (or left alone) stay out.
  void sort_out(const std::string& name, std::map<std::string, std::vector<std::uint64_t>>& found) {
    if (name == index_object) return;
    std::string run;
    std::optional<std::uint64_t> index;
    if (name.starts_with(manifest_prefix) &&
        is_run_id(std::string_view(name).substr(manifest_prefix.size()))) {
      run = name.substr(manifest_prefix.size());
    } else if (const auto parsed = workload::parse_object_name(name);
               parsed && is_run_id(parsed->run_id)) {
      run = std::string(parsed->run_id);
      index = parsed->index;
    } else {
      ++m_report.foreign;
      return;
    }
    if (m_seen.contains(run)) return;
    if (!m_options.run.empty() && run != m_options.run) return;
    std::vector<std::uint64_t>& indices = found[run];
    if (index) indices.push_back(*index);
  }

  // A run that the index does not name. It may have a manifest all the same.
  void clean_found(const std::string& run, const std::vector<std::uint64_t>& indices) {
    const auto entry = m_ledger.look_up(run);
    RunCleanup& result = begin(run);
    result.by_scan = true;
    result.objects = indices.size();
    if (!entry) return settle(result, fail(entry.error()));
    if (entry->held && !m_options.force) {
      result.fate = Fate::held;
      result.detail = entry->holder;
      return;
    }
    if (!entry->missing && !entry->manifest && !m_options.force) {
      result.fate = Fate::unreadable;
      result.detail = entry->problem;
      return;
    }
    if (m_options.dry_run) {
      result.fate = Fate::would;
      return;
    }
    remove_named(names_of(run, indices), result);
  }

  cluster::BoundedIo m_io;
  Ledger m_ledger;
  const CleanupOptions& m_options;
  CleanupReport m_report;
  std::set<std::string> m_seen;
  bool m_own;
};

// A handle of its own for the pool: what it is told (to try in a full pool) stays with it.
cluster::BoundedIo handle_for(const cluster::BoundedIo& io) {
  cluster::BoundedIo given = io;
  librados::IoCtx pool;
  pool.dup(given.pool());
  pool.set_pool_full_try();
  return {given.handle(), std::move(pool), given.limit()};
}

}  // namespace

std::uint64_t CleanupReport::removed() const {
  std::uint64_t sum = 0;
  for (const RunCleanup& run : runs) sum += run.count.removed;
  return sum;
}

bool CleanupReport::complete() const {
  return !interrupted && std::none_of(runs.begin(), runs.end(), [](const RunCleanup& run) {
    return run.fate == Fate::failed || run.fate == Fate::unreadable;
  });
}

Result<CleanupReport> cleanup(const cluster::BoundedIo& io, const CleanupOptions& options) {
  return Cleaner(handle_for(io), options, false).run();
}

RunCleanup remove_run(const cluster::BoundedIo& io, const Manifest& manifest,
                      const CleanupOptions& options) {
  Cleaner cleaner(handle_for(io), options, true);
  cleaner.clean_own(manifest);
  return cleaner.only();
}

}  // namespace radosload::footprint
