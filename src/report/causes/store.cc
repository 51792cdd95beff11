// What the OSDs' store does for an operation besides the operation itself.
#include <algorithm>
#include <vector>

#include "plan/command.h"
#include "report/causes/evidence.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report::causes {

namespace {

constexpr double mib_bytes = 1024.0 * 1024.0;

double waits_of_osds(const TimeParts& parts) {
  return parts.execution + parts.replicas.value_or(0) + parts.commit.value_or(0) +
         parts.device.value_or(0) + parts.unknown.value_or(0);
}

RunPlan with_block_size(RunPlan plan, Bytes size) {
  plan.pattern.block_size = size;
  return plan;
}

// A tenth of the working set, and at least one object.
RunPlan with_smaller_set(RunPlan plan) {
  constexpr std::uint64_t smaller = 10;
  Pattern& pattern = plan.pattern;
  pattern.working_set =
      Bytes{std::max(pattern.object_size.count, pattern.working_set.count / smaller)};
  pattern.objects = std::max<std::uint64_t>(1, pattern.objects / smaller);
  plan.size_named = true;
  return plan;
}

}  // namespace

void find_stripe_reads(const Evidence& evidence, std::vector<Cause>& causes) {
  const TimeParts* const write = evidence.write();
  const record::PoolFacts* const pool = evidence.pool();
  const Pattern& pattern = evidence.record().header.plan.pattern;
  if (write == nullptr || pool == nullptr || !pool->erasure || !pattern.is_data()) return;
  const double writes = evidence.count("op_w");
  const double of_reads = static_cast<double>(pool->k) * evidence.count("op_r");
  const double extra = evidence.events("read") - of_reads;
  constexpr double half_of_writes = 0.5;
  if (writes == 0 || extra < half_of_writes * writes) return;
  const Bytes whole{pool->k * kib(4).count};
  Cause cause{
      .name = "stripe-reads",
      .claim = fmt::format("a write of {} changes a part of a stripe, so the OSDs read the rest "
                           "first (erasure-coded {}+{})",
                           option_text(pattern.block_size), pool->k, pool->m),
      .size = CauseSize{.share = std::clamp(write->unknown.value_or(0) / write->total, 0.0, 1.0),
                        .of = "write",
                        .bound = CauseSize::Bound::at_most}};
  cause.evidence.push_back(
      fmt::format("the OSDs read {:.1f} times for each write{}", extra / writes,
                  pattern.reads_data() ? ", besides the reads of the run" : ""));
  if (const auto read = evidence.mean("read")) {
    cause.evidence.push_back(fmt::format("such a read takes {}", ns_text(*read)));
  }
  cause.command = plan::command_of(with_block_size(evidence.record().header.plan, whole));
  cause.refuted_if = fmt::format(
      "writes of {}, a whole stripe of this pool unless its stripe unit was changed, are not "
      "faster",
      option_text(whole));
  causes.push_back(std::move(cause));
}

void find_metadata_reads(const Evidence& evidence, std::vector<Cause>& causes) {
  constexpr double least_misses = 0.05;    // of all look-ups
  constexpr double least_execution = 0.2;  // of an operation's time
  const double misses = evidence.count("onode_misses");
  const double looks = misses + evidence.count("onode_hits");
  if (looks == 0 || misses < least_misses * looks) return;
  const bool creates = evidence.record().header.plan.pattern.metadata == OpKind::create;
  for (const TimeParts* const parts : {evidence.read(), evidence.write()}) {
    if (parts == nullptr || creates) continue;
    const double share = parts->execution / parts->total;
    if (share < least_execution) continue;
    causes.push_back(
        {.name = "metadata-reads",
         .claim = "the OSDs do not have the metadata of the objects in memory and read it from "
                  "RocksDB",
         .size = CauseSize{.share = std::min(1.0, share),
                           .of = parts->kind,
                           .bound = CauseSize::Bound::at_most},
         .evidence = {fmt::format("{} of {} look-ups of objects (onodes) missed the cache",
                                  percent_text(misses / looks),
                                  grouped(static_cast<std::uint64_t>(looks))),
                      fmt::format("a {} is executed for {}, beside the drive's time for its data",
                                  parts->kind, ns_text(parts->execution))},
         .command = plan::command_of(with_smaller_set(evidence.record().header.plan)),
         .refuted_if = "a tenth of the objects, which fits into memory, is as slow"});
  }
}

void find_deferred_backlog(const Evidence& evidence, std::vector<Cause>& causes) {
  constexpr double least_share = 0.1;
  const TimeParts* const write = evidence.write();
  const auto wait = evidence.mean("txc_throttle");
  if (write == nullptr || !wait || *wait < least_share * write->total) return;
  Cause cause{
      .name = "store-throttle",
      .claim = "writes wait because too many earlier ones have not reached the drives",
      .size = CauseSize{.share = std::min(1.0, *wait / write->total), .of = "write"},
      .evidence = {fmt::format("a transaction waits {} for BlueStore's throttle", ns_text(*wait))}};
  if (const auto queued = evidence.mean("state_deferred_queued")) {
    cause.evidence.push_back(
        fmt::format("a deferred write stays in the WAL for {}", ns_text(*queued)));
  }
  RunPlan plan = evidence.record().header.plan;
  plan.pattern.queue_depth = 1;
  cause.command = plan::command_of(plan);
  cause.refuted_if = "writes at a depth of 1 wait for the throttle as long";
  causes.push_back(std::move(cause));
}

void find_spillover(const Evidence& evidence, std::vector<Cause>& causes) {
  std::vector<std::int32_t> osds;
  double bytes = 0;
  for (const record::OsdWindow& window : evidence.windows()) {
    const double slow = level_of(window, "slow_used_bytes").value_or(0);
    // Without a separate DB device the main drive is the only one.
    if (!window.kind.starts_with("db") || slow == 0) continue;
    osds.push_back(window.osd);
    bytes += slow;
  }
  if (osds.empty()) return;
  causes.push_back(
      {.name = "spillover",
       .claim = fmt::format("a part of RocksDB is on the slow drive of {}", osds_text(osds)),
       .evidence = {fmt::format("{:.0f} MiB have spilled over from their DB devices",
                                bytes / mib_bytes)},
       .command = fmt::format("radosload time compact --osd {}", osds_word(osds)),
       .refuted_if = "after the compaction nothing is spilled over, and a run is as slow"});
}

void find_memory_reads(const Evidence& evidence, std::vector<Cause>& causes) {
  constexpr double least = 0.25;
  const double hit = evidence.count("buffer_hit_bytes");
  const double all = hit + evidence.count("buffer_miss_bytes");
  if (!evidence.record().header.plan.pattern.reads_data() || all == 0 || hit < least * all) return;
  RunPlan plan = evidence.record().header.plan;
  plan.pattern.cache = CacheMode::bypass;
  causes.push_back(
      {.name = "memory-reads",
       .claim = fmt::format("{} of the bytes were read from the OSDs' memory, not from drives",
                            percent_text(hit / all)),
       .evidence = {fmt::format("{:.0f} of {:.0f} MiB", hit / mib_bytes, all / mib_bytes)},
       .command = plan::command_of(plan),
       .refuted_if = "where the OSDs keep nothing of the run in memory, reads are as fast"});
}

void find_deep_queue(const Evidence& evidence, std::vector<Cause>& causes) {
  constexpr double most_of_the_time = 0.5;
  constexpr std::uint32_t deep = 8;  // in flight for each OSD
  const RunPlan& plan = evidence.record().header.plan;
  const std::size_t osds = std::max<std::size_t>(1, evidence.windows().size());
  const std::uint64_t depth = plan.pattern.queue_depth;
  const std::uint64_t each = plan.pins.any() ? depth : depth / osds;
  if (plan.arrival.law != Arrival::Law::closed || each < deep) return;
  for (const TimeParts* const parts : {evidence.read(), evidence.write()}) {
    if (parts == nullptr) continue;
    const double share = parts->queue / parts->total;
    if (share < most_of_the_time || waits_of_osds(*parts) >= parts->queue) continue;
    RunPlan shallower = plan;
    shallower.pattern.queue_depth =
        static_cast<std::uint32_t>(std::max<std::uint64_t>(1, depth / 4));
    causes.push_back(
        {.name = "deep-queue",
         .claim = "more operations are in flight than the OSDs work on at once",
         .size = CauseSize{.share = std::min(1.0, share), .of = parts->kind},
         .evidence = {fmt::format("a {} is in its OSD's queue for {}, and {} in work there",
                                  parts->kind, ns_text(parts->queue),
                                  ns_text(waits_of_osds(*parts))),
                      fmt::format("{} in flight for each OSD", counted(each, "operation"))},
         .command = plan::command_of(shallower),
         .refuted_if = "with a quarter of the depth, throughput falls as much as the latency"});
  }
}

}  // namespace radosload::report::causes
