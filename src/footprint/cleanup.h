// Removes what runs have left in one namespace of one pool: the objects that manifests list, and
// with --scan also objects with radosload's names but no manifest. Other names are never touched.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "cluster/bounded_io.h"
#include "footprint/ledger.h"
#include "footprint/removal.h"
#include "footprint/session_site.h"
#include "footprint/site.h"

namespace radosload::footprint {

// Progress; `what` is the run, or what is being read.
struct CleanupProgress {
  std::string what = {};
  std::uint64_t done = 0;
  std::uint64_t of = 0;  // 0: unknown
};

struct CleanupOptions {
  std::string run = {};  // only this one; empty: all that have ended and are not kept
  bool scan = false;     // go through every name of the namespace too
  bool force = false;    // with `run` only: also if it still runs or its manifest is unreadable
  bool dry_run = false;  // only say what would be removed
  // Only these run ids: the ones that a person saw and confirmed. Nothing: no such limit.
  std::optional<std::set<std::string>> agreed = {};
  Time stall_limit = std::chrono::seconds(30);
  std::function<void(const CleanupProgress&)> progress = {};
  std::function<bool()> interrupted = {};  // true stops it early
};

enum class Fate : std::uint8_t {
  removed,     // nothing of it is left
  would,       // dry run: a real run would remove it
  held,        // left alone: a live process holds it
  kept,        // left alone: kept with --keep, and --run does not name it
  unreadable,  // left alone: its manifest cannot be read
  failed,      // some or all of it still exists
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
  std::uint64_t scanned = 0;                      // names read
  std::uint64_t foreign = 0;                      // of them not of radosload
  std::vector<std::string> session_objects = {};  // of them of single sessions

  // The runs that a dry run found removable.
  std::set<std::string> removable() const;
  std::uint64_t removed() const;
  bool complete() const;  // nothing failed, was unreadable, or is left because of an interrupt
};

// Fails only when the runs cannot be listed, or when `force` is given without `run`. Everything
// else is in the report.
Result<CleanupReport> cleanup(Site& site, const CleanupOptions& options);
// Also what dead sessions have left, unless one run is named.
Result<CleanupReport> cleanup(Site& site, SessionSite& sessions, const CleanupOptions& options);
Result<CleanupReport> cleanup(const cluster::BoundedIo& io, const CleanupOptions& options);

// The end of a run: removes its objects, manifest and index entry, although the run holds its own
// RunLease. Drop the RunLease afterwards.
RunCleanup remove_run(Site& site, const Manifest& manifest, const CleanupOptions& options);

}  // namespace radosload::footprint
