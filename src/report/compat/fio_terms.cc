#include "report/compat/fio_terms.h"

#include <cmath>

#include "plan/names.h"

#include <fmt/format.h>

namespace radosload::report {

using record::Cell;
using record::RunRecord;

namespace {

std::string seconds_text(Time duration) {
  return fmt::format("{:g}", seconds(duration));
}

// Without a time limit, fio's runtime is the measured time.
std::string runtime_text(const RunRecord& record) {
  const Time asked = record.header.plan.extent.time;
  return asked == Time(0) ? fmt::format("{:.0f}", seconds(record.measured)) : seconds_text(asked);
}

void add_mix(FioOptions& options, const Pattern& pattern) {
  if (!pattern.reads_data() || !pattern.writes_data()) return;
  const double whole = std::round(pattern.read_percent);
  options.emplace_back("rwmixread", fmt::format("{:.0f}", whole));
  options.emplace_back("rwmixwrite", fmt::format("{:.0f}", 100 - whole));
}

void add_pace(FioOptions& options, const Arrival& arrival) {
  if (arrival.law == Arrival::Law::closed) return;
  options.emplace_back("rate_iops", fmt::format("{:g}", arrival.ops_per_second));
  options.emplace_back("rate_process", arrival.law == Arrival::Law::poisson ? "poisson" : "linear");
}

// A job of fio has one image; several images are listed in the same option.
void add_images(FioOptions& options, const record::Environment& environment) {
  std::string names;
  for (const record::ImageFacts& image : environment.images) {
    names += (names.empty() ? "" : ",") + image.name;
  }
  if (!names.empty()) options.emplace_back("rbdname", names);
}

// fio's own name for what a drive was measured with; of a cluster, the target's.
std::string engine_of(const RunRecord& record) {
  const auto& drive = record.header.environment.drive;
  if (!drive) return std::string(plan::name_of(record.header.plan.target));
  return drive->no_ring.empty() ? "io_uring" : "psync";
}

void add_drive(FioOptions& options, const RunRecord& record) {
  if (!record.header.environment.drive) return;
  options.emplace_back("filename", record.header.environment.drive->path);
  options.emplace_back("direct", "1");
  if (record.header.plan.pattern.sync_each_write) options.emplace_back("sync", "dsync");
}

}  // namespace

std::string_view fio_name(FioDirection direction) {
  constexpr std::array<std::string_view, 3> names = {"read", "write", "trim"};
  return names.at(static_cast<std::size_t>(direction));
}

std::optional<FioDirection> fio_direction(OpKind kind) {
  switch (kind) {
    case OpKind::read:
    case OpKind::omap_get:
    case OpKind::stat:
    case OpKind::list:
      return FioDirection::read;
    case OpKind::write:
    case OpKind::omap_set:
    case OpKind::create:
      return FioDirection::write;
    case OpKind::discard:
    case OpKind::remove:
      return FioDirection::trim;
    case OpKind::flush:
    case OpKind::sync:
      break;
  }
  return std::nullopt;
}

Cell fio_total(const RunRecord& record, FioDirection direction) {
  Cell total;
  for (const Cell& cell : record.kinds) {
    if (fio_direction(cell.kind) == direction) total.merge(cell);
  }
  return total;
}

Cell fio_sync(const RunRecord& record) {
  Cell pairs;
  Cell flushes;
  Cell writes;
  for (const Cell& cell : record.kinds) {
    if (cell.kind == OpKind::sync) pairs.merge(cell);
    if (cell.kind == OpKind::flush) flushes.merge(cell);
    if (cell.kind == OpKind::write) writes.merge(cell);
  }
  if (pairs.ops() > 0) return pairs;
  if (!flushes.empty()) return writes.empty() ? flushes : Cell{};
  return record.header.plan.pattern.flush_each_write ? writes : Cell{};
}

std::string fio_rw(const RunPlan& plan) {
  std::string direction = "rw";
  if (const auto kind = op_kind_from_name(plan::operation_name(plan.pattern))) {
    if (const auto known = fio_direction(*kind)) direction = fio_name(*known);
  }
  return (plan.pattern.access == Access::random ? "rand" : "") + direction;
}

FioOptions fio_options(const RunRecord& record) {
  const RunPlan& plan = record.header.plan;
  const Pattern& pattern = plan.pattern;
  FioOptions options = {
      {"name", pattern.name},
      {"ioengine", engine_of(record)},
      {"rw", fio_rw(plan)},
      {"bs", option_text(pattern.block_size)},
      {"iodepth", fmt::format("{}", pattern.queue_depth)},
      {"numjobs", "1"},
      {"size", option_text(pattern.working_set)},
      {"runtime", runtime_text(record)},
      {"ramp_time", seconds_text(record.warmup ? record.warmup->length : plan.warmup)},
      {"log_avg_msec", "1000"}};
  if (!plan.pool.empty()) options.emplace_back("pool", plan.pool);
  add_images(options, record.header.environment);
  add_drive(options, record);
  if (pattern.flush_each_write) options.emplace_back("fdatasync", "1");
  add_mix(options, pattern);
  add_pace(options, plan.arrival);
  return options;
}

}  // namespace radosload::report
