#include "report/compat/fio_terms.h"

#include <cmath>

#include <fmt/format.h>

namespace radosload::report {

using record::Cell;
using record::JsonText;
using record::RunRecord;

namespace {

std::string seconds_text(const std::string& duration) {
  const auto time = parse_duration(duration);
  return time ? fmt::format("{:g}", seconds(*time)) : "0";
}

// Without a limit of time it took as long as it took.
std::string runtime_text(const RunRecord& record) {
  const std::string asked = seconds_text(record.header.plan.text_at("time"));
  return asked == "0" ? fmt::format("{:.0f}", seconds(record.measured)) : asked;
}

std::string engine_name(const JsonText& plan) {
  return plan.text_at("target").empty() ? "rados" : plan.text_at("target");
}

void add_mix(FioOptions& options, const JsonText& plan) {
  const auto reads = plan.number_at("read");
  if (plan.text_at("op") != "mixed" || !reads) return;
  const double whole = std::round(*reads);
  options.emplace_back("rwmixread", fmt::format("{:.0f}", whole));
  options.emplace_back("rwmixwrite", fmt::format("{:.0f}", 100 - whole));
}

void add_pace(FioOptions& options, const JsonText& plan) {
  const std::string arrival = plan.text_at("arrival");
  if (arrival != "constant" && arrival != "poisson") return;
  options.emplace_back("rate_iops", fmt::format("{:g}", plan.number_at("rate").value_or(0)));
  options.emplace_back("rate_process", arrival == "poisson" ? "poisson" : "linear");
}

// fio has one image a job; of several they all stand there.
void add_images(FioOptions& options, const record::Environment& environment) {
  std::string names;
  for (const record::ImageFacts& image : environment.images) {
    names += (names.empty() ? "" : ",") + image.name;
  }
  if (!names.empty()) options.emplace_back("rbdname", names);
}

bool flushes_each_write(const JsonText& plan) {
  return plan.text_at("flush-each-write") == "true";
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
  return flushes_each_write(record.header.plan) ? writes : Cell{};
}

std::string fio_rw(const JsonText& plan) {
  const std::string op = plan.text_at("op");
  std::string direction = "rw";
  if (const auto kind = op_kind_from_name(op)) {
    if (const auto known = fio_direction(*kind)) direction = fio_name(*known);
  }
  return (plan.text_at("access") == "random" ? "rand" : "") + direction;
}

FioOptions fio_options(const RunRecord& record) {
  const JsonText& plan = record.header.plan;
  FioOptions options = {{"name", plan.text_at("pattern")},
                        {"ioengine", engine_name(plan)},
                        {"rw", fio_rw(plan)},
                        {"bs", plan.text_at("bs")},
                        {"iodepth", plan.text_at("qd")},
                        {"numjobs", "1"},
                        {"size", plan.text_at("size")},
                        {"runtime", runtime_text(record)},
                        {"ramp_time", seconds_text(plan.text_at("warmup"))},
                        {"log_avg_msec", "1000"}};
  if (!plan.text_at("pool").empty()) options.emplace_back("pool", plan.text_at("pool"));
  add_images(options, record.header.environment);
  if (flushes_each_write(plan)) options.emplace_back("fdatasync", "1");
  add_mix(options, plan);
  add_pace(options, plan);
  return options;
}

}  // namespace radosload::report
