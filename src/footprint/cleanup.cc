#include "footprint/cleanup.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include "footprint/cleanup_log.h"
#include "footprint/session_objects.h"
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

// After this number of missing objects in a row, of a larger number of names, listing the existing
// ones costs less than a request for each name.
constexpr std::uint64_t list_after = 10'000;
constexpr std::uint64_t worth_listing = 100'000;

class Cleaner {
 public:
  // `own`: a run removes what is its own, which it holds itself.
  Cleaner(Site& site, const CleanupOptions& options, bool own)
      : m_site(site), m_options(options), m_own(own) {}

  Result<CleanupReport> run() {
    RADOSLOAD_ASSIGN(const auto runs, runs_wanted());
    for (const std::string& run : runs) {
      if (interrupted()) break;
      if (agreed(run)) clean(run);
    }
    if (m_options.scan && !interrupted()) {
      RADOSLOAD_TRY(scan());
    }
    m_report.interrupted = interrupted();
    for (const RunCleanup& run : m_report.runs) log_decision(run);
    return std::move(m_report);
  }

  void clean_own(const Manifest& manifest) {
    remove_by_manifest({.run = manifest.run, .manifest = manifest}, begin(manifest.run));
    log_decision(m_report.runs.front());
  }
  RunCleanup only() { return m_report.runs.front(); }

 private:
  bool agreed(const std::string& run) const {
    return !m_options.agreed || m_options.agreed->contains(run);
  }
  bool interrupted() const { return m_options.interrupted && m_options.interrupted(); }

  RunCleanup& begin(const std::string& run) {
    m_seen.insert(run);
    return m_report.runs.emplace_back(RunCleanup{.run = run});
  }

  void say(const std::string& what, std::uint64_t done, std::uint64_t of) const {
    if (m_options.progress) m_options.progress({.what = what, .done = done, .of = of});
  }

  Result<std::vector<std::string>> runs_wanted() {
    say("the index of runs", 0, 0);
    auto runs = m_site.runs();
    if (!runs || m_options.run.empty()) return runs;
    std::erase_if(*runs, [this](const std::string& run) { return run != m_options.run; });
    if (!runs->empty()) return runs;
    // A run that was struck out and not removed: its manifest may still be there.
    RADOSLOAD_ASSIGN(const auto entry, m_site.look_up(m_options.run));
    if (!entry.missing) runs->push_back(m_options.run);
    return runs;
  }

  // Looks at the run as it is now: since the index was read others may have begun to use it.
  void clean(const std::string& run) {
    RunCleanup& result = begin(run);
    const auto entry = m_site.look_up(run);
    if (!entry) return note_fate(result, fail(entry.error()));
    if (left_alone(*entry, result)) {
      // A scan with --force finds its objects by their names, and takes the manifest too.
      const bool by_name = result.fate == Fate::unreadable && m_options.scan && m_options.force;
      if (!by_name) return;
      m_seen.erase(run);
      m_report.runs.pop_back();
    } else if (entry->manifest) {
      remove_by_manifest(*entry, result);
    } else {
      remove_empty(result);
    }
  }

  // What nothing is done to, with the reason in the result.
  bool left_alone(const Entry& entry, RunCleanup& result) const {
    if (entry.manifest) {
      result.objects = entry.manifest->objects;
      result.images = entry.manifest->images;
    }
    if (entry.held() && !m_options.force) {
      result.fate = Fate::held;
      result.detail = entry.holder;
    } else if (is_kept(entry) && m_options.run.empty()) {
      result.fate = Fate::kept;
    } else if (!entry.manifest && !entry.missing) {
      result.fate = Fate::unreadable;
      result.detail = entry.problem;
    } else {
      return false;
    }
    return true;
  }

  static bool is_kept(const Entry& entry) {
    return entry.manifest && entry.manifest->keep && entry.manifest->state == State::ready;
  }

  void remove_empty(RunCleanup& result) {
    result.detail = "it had written no objects yet";
    if (m_options.dry_run) {
      result.fate = Fate::would;
      return;
    }
    note_fate(result, m_site.remove_entry_without_manifest(result.run));
  }

  void remove_by_manifest(const Entry& entry, RunCleanup& result) {
    const Manifest& manifest = *entry.manifest;
    result.objects = manifest.objects;
    result.images = manifest.images;
    if (m_options.dry_run) {
      result.fate = Fate::would;
      return;
    }
    if (!mark(entry, result)) return;
    if (manifest.content == Content::image) return remove_made(manifest, result);
    if (manifest.content == Content::files) return remove_files(manifest, result);
    if (!manifest.picked.empty()) {
      return remove_named(names_of(manifest.run, manifest.picked), result, 0);
    }
    remove_named(names_of(manifest.run, manifest.objects), result, manifest.objects);
  }

  // From here on no run reuses it. A lease that was taken earlier shows now.
  bool mark(const Entry& entry, RunCleanup& result) {
    Manifest manifest = *entry.manifest;
    if (manifest.state == State::deleting) return true;
    const State before = std::exchange(manifest.state, State::deleting);
    std::uint64_t version = entry.version;
    if (auto marked = m_site.update(manifest, &version); !marked) {
      // Gone: another cleanup was faster, and is at the same objects. Full: better unmarked than
      // not removed.
      const int errnum = marked.error().errnum;
      if (errnum == ENOENT || errnum == EDQUOT || errnum == ENOSPC) return true;
      if (errnum == ERANGE && others_remove(manifest.run, result)) return true;
      if (result.fate != Fate::held) note_fate(result, std::move(marked));
      return false;
    }
    if (m_options.force || m_own) return true;
    const auto now = m_site.look_up(manifest.run);
    if (now && !now->held()) return true;
    manifest.state = before;
    result.fate = now ? Fate::held : Fate::failed;
    result.detail = now ? now->holder : now.error().message();
    // Unless its holder has written to it in between.
    auto restored = m_site.update(manifest, &version);
    if (!restored && restored.error().errnum != ERANGE) note_fate(result, std::move(restored));
    return false;
  }

  // Its manifest has been changed at this moment: by another cleanup, which is joined, or by a run
  // that has begun to use it.
  bool others_remove(const std::string& run, RunCleanup& result) {
    const auto now = m_site.look_up(run);
    if (!now) return false;
    if (now->held()) {
      result.fate = Fate::held;
      result.detail = now->holder;
      return false;
    }
    return now->missing || (now->manifest && now->manifest->state == State::deleting);
  }

  void remove_made(const Manifest& manifest, RunCleanup& result) {
    const auto all = static_cast<double>(manifest.objects);
    const ImagesRemoved removed =
        m_site.remove_images(manifest, m_options.stall_limit, [&](double share) {
          say(result.run, static_cast<std::uint64_t>(share * all), manifest.objects);
          return !interrupted();
        });
    if (!removed.ended) return note_fate(result, removed.ended);
    note_fate(result, m_site.remove(result.run));
    if (result.fate == Fate::removed) result.detail = removed.text();
  }

  void remove_files(const Manifest& manifest, RunCleanup& result) {
    RemovalOptions removal{.stall_limit = m_options.stall_limit};
    removal.progress = [&](const RemovalCount& count) {
      say(result.run, count.done(), result.objects);
      return !interrupted();
    };
    FilesRemoved removed = m_site.remove_files(manifest, removal);
    result.count = removed.count;
    if (!removed.ended) return note_fate(result, std::move(removed.ended));
    note_fate(result, m_site.remove(result.run));
    if (result.fate == Fate::removed) result.detail = std::move(removed.text);
  }

  // `bound`: the names are those of the numbers below it; 0: they are known one by one.
  void remove_named(const Names& names, RunCleanup& result, std::uint64_t bound) {
    RemovalOptions removal{.stall_limit = m_options.stall_limit};
    removal.progress = [&](const RemovalCount& count) {
      say(result.run, count.done(), result.objects);
      return !interrupted();
    };
    if (bound > worth_listing) removal.missing_limit = list_after;
    Removal removed = m_site.remove_objects(names, removal);
    if (removed.ended && removed.mostly_missing && !interrupted()) {
      removed = remove_listed(result.run, bound, removed.count, removal);
    }
    result.count = removed.count;
    if (!removed.ended) return note_fate(result, std::move(removed.ended));
    if (result.count.failures() > 0) {
      const auto& [rc, times] = *result.count.failed.begin();
      result.fate = Fate::failed;
      result.detail = fmt::format("{} deletions failed: {}", times, errno_text(rc));
      return;
    }
    if (interrupted()) {
      result.fate = Fate::failed;
      result.detail = "interrupted; the manifest stays, so the next cleanup continues here";
      return;
    }
    note_fate(result, m_site.remove(result.run));
  }

  // Of a run that was killed early hardly any object is there: then those there are, by a listing.
  Removal remove_listed(const std::string& run, std::uint64_t bound, const RemovalCount& before,
                        RemovalOptions options) {
    std::vector<std::uint64_t> indices;
    std::uint64_t looked_at = 0;
    Status listed = m_site.list_names([&](const std::vector<std::string>& names) {
      for (const std::string& name : names) {
        const auto parsed = workload::parse_object_name(name);
        if (parsed && parsed->run_id == run && parsed->index < bound) {
          indices.push_back(parsed->index);
        }
      }
      looked_at += names.size();
      say(fmt::format("names read to find the objects of {}:", run), looked_at, 0);
      return !interrupted();
    });
    if (!listed) return {.count = before, .ended = std::move(listed)};
    options.missing_limit = 0;
    Removal removed = m_site.remove_objects(names_of(run, indices), options);
    removed.count.removed += before.removed;
    removed.count.missing += before.missing;
    for (const auto& [rc, times] : before.failed) removed.count.failed[rc] += times;
    return removed;
  }

  void note_fate(RunCleanup& result, Status status) {
    result.fate = status ? Fate::removed : Fate::failed;
    if (!status) result.detail = status.error().message();
  }

  Status scan() {
    std::map<std::string, std::vector<std::uint64_t>> found;
    auto listed = m_site.list_names([&](const std::vector<std::string>& names) {
      for (const std::string& name : names) sort_out(name, found);
      m_report.scanned += names.size();
      say("names", m_report.scanned, 0);
      return !interrupted();
    });
    if (!listed) return listed;
    for (const auto& [run, indices] : found) {
      if (!interrupted()) clean_found(run, indices);
    }
    return {};
  }

  // Whose object it is. Those of runs that have been dealt with (or left alone) stay out.
  void sort_out(const std::string& name, std::map<std::string, std::vector<std::uint64_t>>& found) {
    if (name == index_object || is_of_session(name)) return note_session_object(name);
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
    if (m_seen.contains(run) || !agreed(run)) return;
    if (!m_options.run.empty() && run != m_options.run) return;
    std::vector<std::uint64_t>& indices = found[run];
    if (index) indices.push_back(*index);
  }

  void note_session_object(const std::string& name) {
    const bool room = m_report.session_objects.size() < session_parts_limit;
    if (room && !session_of(name).empty()) m_report.session_objects.push_back(name);
  }

  // A run that the index does not name. It may have a manifest all the same.
  void clean_found(const std::string& run, const std::vector<std::uint64_t>& indices) {
    RunCleanup& result = begin(run);
    result.by_scan = true;
    const auto entry = m_site.look_up(run);
    if (!entry) return note_fate(result, fail(entry.error()));
    const bool alone = left_alone(*entry, result);
    if (alone && !(result.fate == Fate::unreadable && m_options.force)) return;
    result.detail.clear();
    if (entry->manifest) return remove_by_manifest(*entry, result);
    result.objects = indices.size();
    if (m_options.dry_run) {
      result.fate = Fate::would;
      return;
    }
    remove_named(names_of(run, indices), result, 0);
  }

  Site& m_site;
  const CleanupOptions& m_options;
  CleanupReport m_report;
  std::set<std::string> m_seen;
  bool m_own;
};

}  // namespace

Result<CleanupReport> cleanup(Site& site, const CleanupOptions& options) {
  if (options.force && options.run.empty()) {
    return fail(
        {.reason = "--force needs --run: alone it would remove the objects of every running load",
         .hint = "use --run ID --force; what ended runs have left is removed without --force",
         .exit = Exit::usage});
  }
  return Cleaner(site, options, false).run();
}

Result<CleanupReport> cleanup(Site& site, SessionSite& sessions, const CleanupOptions& options) {
  RADOSLOAD_ASSIGN(auto report, cleanup(site, options));
  if (!options.run.empty() || report.interrupted) return report;
  RADOSLOAD_TRY(clean_up_sessions(sessions, options, report));
  return report;
}

Result<CleanupReport> cleanup(const cluster::BoundedIo& io, const CleanupOptions& options) {
  ClusterSite site(io);
  ClusterSessions sessions(io);
  return cleanup(site, sessions, options);
}

RunCleanup remove_run(Site& site, const Manifest& manifest, const CleanupOptions& options) {
  Cleaner cleaner(site, options, true);
  cleaner.clean_own(manifest);
  return cleaner.only();
}

}  // namespace radosload::footprint
