// Drives that are slow, and drives that are fast until they have to make a write durable.
#include <algorithm>
#include <vector>

#include "plan/command.h"
#include "report/causes/evidence.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report::causes {

namespace {

// Flash answers well below this, a disk that has to seek above it.
constexpr double slow_access_ns = 4e6;
// A commit is a write and up to two flushes.
constexpr double slow_commit_ns = 8e6;
constexpr double least_share = 0.3;
constexpr double slow_flush_ns = 1e6;
// A flush that only waits for a write on its way takes no longer than that write.
constexpr double beyond_a_write = 2.5;
// Where all data takes the way through the WAL, a commit is one write and up to two flushes.
constexpr double beyond_a_deferred_write = 4;
constexpr std::uint64_t least_commits = 20;

std::string bench_command(const std::vector<std::int32_t>& osds) {
  return fmt::format("radosload time bench --osd {} --bs 4k", osds_word(osds));
}

double all_waits(const TimeParts& write) {
  return write.replicas.value_or(0) + write.commit.value_or(0) + write.device.value_or(0);
}

// How long an OSD writes data, flushes it, and commits.
struct Commit {
  double data = 0;
  double flush = 0;
  double commit = 0;
  bool deferred = false;
};

std::optional<Commit> commit_of(const record::OsdWindow& window) {
  const auto found = window.growth.times.find("kv_commit");
  if (found == window.growth.times.end() || found->second.count < least_commits)
    return std::nullopt;
  const double waited = mean_ns(window, "state_aio_wait").value_or(0);
  const double later = mean_ns(window, "state_deferred_aio_wait").value_or(0);
  constexpr double no_wait_ns = 1e4;
  const bool deferred = waited < no_wait_ns;
  return Commit{.data = deferred ? later : waited,
                .flush = mean_ns(window, "kv_flush").value_or(0),
                .commit = *mean_ns(window, "kv_commit"),
                .deferred = deferred};
}

bool flushes_slowly(const Commit& commit) {
  if (commit.data == 0) return false;
  if (!commit.deferred) {
    return commit.flush >= slow_flush_ns && commit.flush >= beyond_a_write * commit.data;
  }
  return commit.commit >= 2 * slow_flush_ns &&
         commit.commit >= beyond_a_deferred_write * commit.data;
}

struct SlowFlushes {
  std::vector<std::int32_t> osds;
  Commit mean;
};

std::optional<SlowFlushes> slow_flushes(const Evidence& evidence) {
  SlowFlushes found;
  std::size_t counted_osds = 0;
  for (const record::OsdWindow& window : evidence.windows()) {
    const auto commit = commit_of(window);
    if (!commit) continue;
    ++counted_osds;
    if (!flushes_slowly(*commit)) continue;
    found.osds.push_back(window.osd);
    found.mean.data += commit->data;
    found.mean.flush += commit->flush;
    found.mean.commit += commit->commit;
    found.mean.deferred = found.mean.deferred || commit->deferred;
  }
  if (found.osds.empty() || 2 * found.osds.size() < counted_osds) return std::nullopt;
  const auto osds = static_cast<double>(found.osds.size());
  found.mean.data /= osds;
  found.mean.flush /= osds;
  found.mean.commit /= osds;
  return found;
}

void find_slow_reads(const Evidence& evidence, std::vector<Cause>& causes) {
  const TimeParts* const read = evidence.read();
  const auto access = evidence.mean("read_device");
  if (read == nullptr || !access || *access < slow_access_ns) return;
  const double share = (read->device.value_or(0) + read->queue) / read->total;
  if (share < least_share) return;
  causes.push_back(
      {.name = "slow-drives",
       .claim = "the drives are slow, as hard disks are",
       .size = CauseSize{.share = std::min(1.0, share), .of = "read"},
       .evidence = {fmt::format("a read that its OSD's memory cannot serve waits {} for the drive",
                                ns_text(*access)),
                    fmt::format("{} in the queues behind such reads", ns_text(read->queue))},
       .command = bench_command(evidence.osds()),
       .refuted_if = "the OSDs' own benchmark shows a lower latency than that"});
}

}  // namespace

void find_slow_drives(const Evidence& evidence, std::vector<Cause>& causes) {
  find_slow_reads(evidence, causes);
  const TimeParts* const write = evidence.write();
  const auto commit = evidence.mean("kv_sync");
  if (write == nullptr || !commit || *commit < slow_commit_ns) return;
  const double share = all_waits(*write) / write->total;
  if (share < least_share) return;
  Cause cause{.name = "slow-drives",
              .claim = "the drives are slow, as hard disks are",
              .size = CauseSize{.share = std::min(1.0, share), .of = "write"},
              .evidence = {fmt::format("a commit to the drives takes {}", ns_text(*commit))},
              .command = bench_command(evidence.osds()),
              .refuted_if = "the OSDs' own benchmark shows a lower latency than that"};
  const auto later = evidence.mean("state_deferred_aio_wait");
  if (later && *later >= slow_access_ns) {
    cause.evidence.push_back(
        fmt::format("a deferred write waits {} for the drive", ns_text(*later)));
  }
  causes.push_back(std::move(cause));
}

void find_slow_flushes(const Evidence& evidence, std::vector<Cause>& causes) {
  const TimeParts* const write = evidence.write();
  if (write == nullptr) return;
  const auto found = slow_flushes(evidence);
  if (!found) return;
  const Commit& mean = found->mean;
  const double whole = mean.flush + mean.commit;
  const double flushing = (mean.flush + std::max(0.0, mean.commit - mean.data)) / whole;
  const double waits =
      std::max(0.0, all_waits(*write) - (mean.deferred ? 0 : mean.data)) / write->total;
  Cause cause{.name = "slow-flush",
              .claim =
                  "the drives are slow to make a write durable, as flash without power-loss "
                  "protection is",
              .size = CauseSize{.share = std::clamp(flushing * waits, 0.0, 1.0), .of = "write"}};
  if (!mean.deferred) {
    cause.evidence.push_back(fmt::format("writing data takes {}, flushing it {}, on {}",
                                         ns_text(mean.data), ns_text(mean.flush),
                                         osds_text(found->osds)));
    cause.evidence.push_back(
        fmt::format("a commit of RocksDB, with its flushes, takes {}", ns_text(mean.commit)));
  } else {
    cause.evidence.push_back(
        fmt::format("a commit of RocksDB, with its flushes, takes {}, and a deferred write to the "
                    "same drive {}, on {}",
                    ns_text(mean.commit), ns_text(mean.data), osds_text(found->osds)));
  }
  cause.command = "radosload --drive TESTFILE --create 64M --pattern sync-write4k --time 10s";
  cause.refuted_if =
      fmt::format("on a file system on such a drive, a durable write takes less than {}",
                  ns_text(slow_flush_ns));
  causes.push_back(std::move(cause));
}

}  // namespace radosload::report::causes
