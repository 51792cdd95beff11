#include "report/facts.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include "radosload/outcome.h"

#include "plan/names.h"
#include "plan/warmup.h"
#include "record/ranks.h"
#include "report/layout.h"
#include "report/spread.h"

#include <fmt/format.h>

namespace radosload::report {

using record::RunRecord;

namespace {

// The first "digits.digits.digits" in a text such as "ceph version 18.2.7 (6b0e9...) reef".
std::string version_number(std::string_view text) {
  for (std::size_t start = 0; start < text.size(); ++start) {
    std::size_t end = start;
    int dots = 0;
    while (end < text.size() &&
           (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.')) {
      dots += text[end] == '.' ? 1 : 0;
      ++end;
    }
    if (dots == 2) return std::string(text.substr(start, end - start));
    if (end > start) start = end;
  }
  return {};
}

std::vector<std::string> image_names(const record::Environment& environment) {
  std::vector<std::string> names;
  for (const record::ImageFacts& image : environment.images) {
    names.push_back(image.name);
  }
  return names;
}

std::string warmup_text(const RunRecord& record) {
  const RunPlan& plan = record.header.plan;
  if (!record.warmup && plan.warmup_auto) return plan::warmup_words(plan);
  if (!record.warmup) return fmt::format("{:g} s of warm-up", seconds(plan.warmup));
  return fmt::format("{:.0f} s of warm-up, {}", seconds(record.warmup->length),
                     record.warmup->settled ? "until it was steady" : "never steady");
}

}  // namespace

std::string drive_text(const record::DriveFacts& drive) {
  std::vector<std::string> parts;
  for (const std::string& part : {drive.model, human_text(drive.size), drive.medium}) {
    if (!part.empty()) parts.push_back(part);
  }
  return fmt::format("{} {} ({}), through {}", drive.device ? "drive" : "file", drive.path,
                     joined(parts, ", "), drive.io);
}

std::string where_text(const RunPlan& plan, const record::Environment& environment) {
  const std::string& pool = plan.pool;
  if (environment.drive) return drive_text(*environment.drive);
  if (plan.drive.any()) return "drive " + plan.drive.path;
  if (plan.files.any()) {
    return fmt::format("file system {}{}", plan.files.system,
                       pool.empty() ? "" : ", data in pool " + pool);
  }
  if (pool.empty()) return fmt::format("target {}", plan::name_of(plan.target));
  if (plan.target != TargetKind::rbd) return fmt::format("pool {}", pool);
  const std::vector<std::string> images = image_names(environment);
  const auto& data = environment.data_pool;
  return fmt::format("{} {} in pool {}{}", images.size() > 1 ? "images" : "image",
                     joined(images, ", "), pool,
                     data ? fmt::format(", data in pool {}", data->name) : "");
}

std::string stalled_text(const RunRecord& record) {
  if (record.header.plan.arrival.law != Arrival::Law::closed) return {};
  Time silent(0);
  Time shortest = Time::max();
  for (const record::TimelineRow* const row : full_rows(record)) {
    if (row->all.ops > 0) continue;
    silent += row->length;
    shortest = std::min(shortest, row->length);
  }
  if (silent == Time(0)) return {};
  const auto median =
      record::response_ranks(record::total_of(record.kinds)).percentile(record::p50).exact();
  // Where most operations take that long, nothing stands still.
  if (!median || Time(static_cast<Time::rep>(*median)) > shortest / 2) return {};
  return fmt::format(
      "for {:.1f} s of {:.1f} s nothing finished; the percentiles of a closed loop hardly show it: "
      "measure with --rate",
      seconds(silent), seconds(record.measured));
}

std::string only_sent_text(const RunRecord& record) {
  if (record.unissued == 0) return {};
  return fmt::format(" (of those sent; {} were never sent)", grouped(record.unissued));
}

std::string backlog_text(const RunRecord& record) {
  constexpr double above = 1.02;
  const Arrival& arrival = record.header.plan.arrival;
  if (arrival.law == Arrival::Law::closed || record.carried_flow.completed == 0) return {};
  const double rate = record::iops(record, record::total_of(record.kinds));
  if (rate <= above * arrival.ops_per_second) return {};
  return fmt::format("IOPS are above the rate of {} because {} of the warm-up finished after it",
                     rate_text(arrival.ops_per_second),
                     counted(record.carried_flow.completed, "operation"));
}

std::string etcd_text(const RunRecord& record) {
  constexpr Time limit = std::chrono::milliseconds(10);  // from etcd's documentation
  if (record.header.plan.pattern.name != "etcd-wal") return {};
  const record::Cell* pair = nullptr;
  for (const record::Cell& cell : record.kinds) {
    // Without a flush, a write is durable when it is answered.
    if (cell.kind == OpKind::sync || (cell.kind == OpKind::write && pair == nullptr)) pair = &cell;
  }
  if (pair == nullptr) return {};
  const record::Ranked p99 = record::response_ranks(*pair).percentile(record::p99);
  const Time found(static_cast<Time::rep>(p99.ns));
  // "More than 8 ms" may be below or above the limit.
  const bool beyond = p99.kind == record::Ranked::Kind::beyond;
  if (p99.kind == record::Ranked::Kind::unknown || (beyond && found < limit)) return {};
  return fmt::format("p99 {} ({}): {} etcd's limit of {}", ranked_text(p99),
                     pair->kind == OpKind::sync ? "write + flush" : "durable write",
                     found < limit ? "below" : "NOT below", human_text(limit));
}

std::string pattern_text(const RunPlan& plan) {
  const Pattern& pattern = plan.pattern;
  std::vector<std::string> parts = {std::string(plan::operation_name(pattern))};
  if (pattern.reads_data() && pattern.writes_data()) {
    parts.push_back(fmt::format("{} % read", pattern.read_percent));
  }
  // Files are empty.
  if (!pattern.is_of_files()) {
    parts.push_back(
        fmt::format("{} {}", plan::name_of(pattern.access), option_text(pattern.block_size)));
  }
  if (pattern.distribution.law == Distribution::Law::zipf) {
    parts.push_back(fmt::format("zipf {}", pattern.distribution.theta));
  }
  return fmt::format("{}: {}", pattern.name, joined(parts, ", "));
}

std::string load_text(const RunPlan& plan) {
  const std::uint32_t depth = plan.pattern.queue_depth;
  if (plan.arrival.law == Arrival::Law::closed) return fmt::format("closed loop at qd {}", depth);
  return fmt::format("open loop at {} ops/s, {} arrivals, qd at most {}",
                     rate_text(plan.arrival.ops_per_second), plan::name_of(plan.arrival.law),
                     depth);
}

std::string measured_text(const RunRecord& record) {
  std::string text = fmt::format("{:.1f} s", seconds(record.measured));
  if (record.measured >= std::chrono::hours(1)) {
    text += fmt::format(" ({})", human_text(record.measured));
  }
  text += " after " + warmup_text(record);
  if (record.ended_by != record::EndedBy::nothing) {
    text += fmt::format(", ended by {}", record::ended_by_name(record.ended_by));
  }
  if (record.status != record::RunStatus::complete) {
    text += fmt::format(" ({})", record::status_name(record.status));
  }
  return text;
}

std::string versions_text(const RunRecord& record) {
  std::set<std::string> versions;
  for (const auto& [version, daemons] : record.header.environment.ceph_versions) {
    if (std::string number = version_number(version); !number.empty()) versions.insert(number);
  }
  return joined({versions.begin(), versions.end()}, ", ");
}

std::string errors_text(const std::vector<record::ErrorCount>& errors) {
  std::vector<std::string> parts;
  parts.reserve(errors.size());
  for (const record::ErrorCount& error : errors) {
    parts.push_back(fmt::format("{} {}", grouped(error.count), rc_name(error.rc)));
  }
  return joined(parts, ", ");
}

std::string lost_operations(const record::RunRecord& record, const record::Cell& total) {
  std::uint64_t timed_out = 0;
  for (const record::ErrorCount& error : total.errors) {
    if (error.rc == -ETIMEDOUT) timed_out += error.count;
  }
  std::vector<std::string> parts;
  for (const auto& [count, fate] : {std::pair{record.measured_flow.cancelled, "cancelled"},
                                    {timed_out, "timed out"},
                                    {record.unfinished, "never answered"},
                                    {record.unissued, "due but never sent"}}) {
    if (count > 0) parts.push_back(counted(count, "operation") + " " + fate);
  }
  return joined(parts, ", ");
}

std::string lost_text(const RunRecord& record, const record::Cell& total) {
  const std::string lost = lost_operations(record, total);
  if (lost.empty()) return {};
  return lost + "; percentiles count the time they had waited, means leave them out";
}

std::string grade_text(const record::Grade& grade) {
  std::string name(record::grade_name(grade.value));
  if (grade.value == record::GradeValue::unwatched) {
    name =
        grade.reasons.empty() ? "not graded (recovery and scrubs were not watched)" : "not graded";
  }
  if (grade.reasons.empty()) return name;
  const bool clean = grade.value == record::GradeValue::clean;
  return fmt::format("{}{}: {}", name, clean ? "; noted" : "", joined(grade.reasons, "; "));
}

std::string labels_text(const Labels& labels) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : labels) parts.push_back(fmt::format("{}={}", key, value));
  return joined(parts, ", ");
}

std::string kind_text(OpKind kind) {
  return kind == OpKind::sync ? "write+flush" : std::string(op_kind_name(kind));
}

std::string no_verdict() {
  return paragraph("",
                   "No verdict: these are single runs. Repeat them to tell a difference from "
                   "chance.",
                   indent, 0);
}

}  // namespace radosload::report
