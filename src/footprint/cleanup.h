// Removes what runs have left in one namespace of one pool: by their manifests, and when asked also
// what has our names and no manifest. Whatever has other names is never touched.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "cluster/bounded_io.h"
#include "footprint/ledger.h"
#include "footprint/removal.h"
#include "footprint/site.h"

namespace radosload::footprint {

// How far it is; `what` is the run, or what is being looked for.
struct CleanupProgress {
  std::string what = {};
  std::uint64_t done = 0;
  std::uint64_t of = 0;  // 0: nobody knows
};

struct CleanupOptions {
  std::string run = {};  // only this one; empty: all that are neither alive nor kept
  bool scan = false;     // go through every name of the namespace too
  bool force = false;    // with `run` only: also when it lives, or its manifest cannot be read
  bool dry_run = false;  // only say what would be removed
  Time stall_limit = std::chrono::seconds(30);
  std::function<void(const CleanupProgress&)> progress = {};
  std::function<bool()> interrupted = {};  // true ends it early, cleanly
};

enum class Fate : std::uint8_t {
  removed,     // everything of it
  would,       // dry run: everything of it would be
  held,        // a live process holds it: left alone
  kept,        // it was kept to be used again, and nobody has named it: left alone
  unreadable,  // its manifest says nothing we understand: left alone
  failed,      // some or all of it is still there
};

struct RunCleanup {
  std::string run;
  Fate fate = Fate::removed;
  std::string detail = {};               // who holds it, what is wrong
  std::uint64_t objects = 0;             // that may exist, by the manifest or the scan
  std::vector<std::string> images = {};  // instead of objects
  RemovalCount count = {};
  bool by_scan = false;  // found by its objects' names alone
};

struct CleanupReport {
  std::vector<RunCleanup> runs;
  bool interrupted = false;
  std::uint64_t scanned = 0;  // names looked at
  std::uint64_t foreign = 0;  // of them not ours

  std::uint64_t removed() const;
  bool complete() const;  // nothing failed, was unreadable, or is left because of an interrupt
};

// Fails only when it cannot even find out what there is, or is to force what nobody has named;
// everything else is in the report.
Result<CleanupReport> cleanup(Site& site, const CleanupOptions& options);
Result<CleanupReport> cleanup(const cluster::BoundedIo& io, const CleanupOptions& options);

// The end of a run: removes its objects, manifest and index entry, which its own RunLease on it
// does not prevent. Drop the RunLease afterwards.
RunCleanup remove_run(Site& site, const Manifest& manifest, const CleanupOptions& options);
RunCleanup remove_run(const cluster::BoundedIo& io, const Manifest& manifest,
                      const CleanupOptions& options);

}  // namespace radosload::footprint
